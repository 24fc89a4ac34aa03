/*
 * main.c: the entry.
 */
#include <stdio.h>

int
main(void)
{
	printf("ioreceipt %s\n", IORECEIPT_VERSION);
	return 0;
}
