#: make                 the static binary, build/x86_64-release/ioreceipt
#: make check           before every commit: lint, unit tests with sanitizers and as shipped
#: make test            everything that CI runs: both unit builds, then integration
#: make unit            the unit tests of one build; T=hist runs tests/unit/test_hist.c alone
#: make integration     the tests of the built binary; I=static runs tests/integration/static.t
#: make CFG=asan unit   the same with clang, glibc, ASan and UBSan; also CFG=debug
#: make lint            the rules that scripts can check
#: make dist URL=...    build/dist: what is put on a web server for `curl URL/get.sh | sh`
#: make repro           build from the archives in another directory, compare the binaries
#: make schema          src/receipt/*.schema.json anew from the field tables
#: make golden          tests/golden anew: look at the difference before it is committed
#: make bench           side by side with fio; BENCH=agree, cost or own for a part
#: make clean           remove what was built; distclean: and the libraries and archives
#: variables            V=1 shows each command, ARCH=aarch64 builds for another machine
VERSION := 0.1.0
PROG    := ioreceipt
ARCH    ?= x86_64
CFG     ?= release
BUILD   := build/$(ARCH)-$(CFG)

Q     := $(if $(V),,@)
SAY    = @printf '  %-5s %s\n' '$(1)' '$(2)'
NPROC := $(shell nproc)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(NPROC)
endif

# ---- toolchains: gcc and musl for what ships, clang and glibc to hunt bugs ----
# No LTO: it saves 3 % of size, costs seconds at every link, and BearSSL computes
# wrong digests under it unless handled with care.
ifeq ($(CFG),asan)
  SYSROOT   := build/$(ARCH)-clang
  CC        := clang
  AR        := ar
  LIBC      :=
  LIBC_HEADERS = -isystem $(1)/include
  SAN       := -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer
  DEPSAN    := $(SAN) -g
  # BearSSL reads words at odd addresses on purpose where the CPU allows it, and
  # calls its digests through tables that know a more general context
  BEARFLAGS := -DBR_LE_UNALIGNED=0 -DBR_BE_UNALIGNED=0 -fno-sanitize=function
  OPT       := -O1 -g $(SAN)
  LINK       = $(CC) $(SAN) -o $@ $^ $(LIBS)
else
  SYSROOT   := build/$(ARCH)-musl
  CROSS     := $(if $(filter x86_64,$(ARCH)),,$(ARCH)-linux-gnu-)
  CC        := $(CROSS)gcc
  AR        := $(CROSS)ar
  LIBC       = $(SYSROOT)/.musl-$(PINS)
  KINC      := $(if $(CROSS),/usr/$(ARCH)-linux-gnu/include, \
    /usr/include/x86_64-linux-gnu /usr/include)
  RUN       := $(if $(CROSS),qemu-$(ARCH)-static)
  # The compiler's own headers and libgcc are used, nothing of the machine's libc:
  # what musl's gcc wrapper would do, but with relative paths.
  GCC_HEADERS := $(shell $(CC) -print-file-name=include)
  LIBC_HEADERS = -nostdinc -isystem $(1)/include -isystem $(GCC_HEADERS)
  # no C++ above us, so nobody unwinds: its tables would be a tenth of the binary
  HARDEN    := -fno-pie -fstack-protector-strong -fno-asynchronous-unwind-tables
  # What measures is compiled for speed, the rest for size.
  FAST      := -O2
  SMALL     := -Os
  OPT        = $(if $(filter debug,$(CFG)),-Og -g3,$(if $(filter src/disk/%,$<),$(FAST),$(SMALL))) $(HARDEN)
  APART     := -Wl,-T,src/apart.ld
  # what is for debuggers stays as it is
  PACKED    := $(if $(filter x86_64-release,$(ARCH)-$(CFG)),yes)
  LINK       = $(CC) -static -no-pie -nostdlib -Wl,--gc-sections,--build-id=none \
    -Wl,-z,relro,-z,now,-z,noexecstack -o $@ $(SYSROOT)/lib/crt1.o $(SYSROOT)/lib/crti.o \
    $^ $(LIBS) $(SYSROOT)/lib/libc.a -lgcc $(SYSROOT)/lib/libc.a $(SYSROOT)/lib/crtn.o
endif

WARN := -Wall -Wextra -Werror -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes \
  -Wformat=2 -Wimplicit-fallthrough -Wswitch-enum -Wpointer-arith -Wcast-qual -Wwrite-strings \
  -Wconversion -Wno-sign-conversion
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -ffile-prefix-map=$(CURDIR)=. -fno-common \
  -ffunction-sections -fdata-sections -Isrc $(call LIBC_HEADERS,$(SYSROOT)) $(DEFS) $(CFLAGS)
LIBS := $(foreach l,bearssl aio jansson,$(SYSROOT)/lib/lib$(l).a)

SRC  := $(sort $(filter-out src/unpack/%,$(wildcard src/*/*.c)))
OBJ  := $(SRC:src/%.c=$(BUILD)/%.o)
LIB  := $(BUILD)/lib$(PROG).a
T    ?= *
# the tests that write tests/golden, receipts before what they are rendered to
GOLDEN := assemble show_table show_keys
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_$(T).c)))
I    ?= *
INTEGRATION := $(sort $(wildcard tests/integration/$(I).t))
TOOLS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/tools/*.c)))

all: $(BUILD)/$(PROG)
include third_party/deps.mk

# What `ioreceipt version` and each receipt say of the libraries.
DEFS = -DIORECEIPT_VERSION='"$(VERSION)"' -DIORECEIPT_ARCH='"$(ARCH)"' \
  -DIORECEIPT_MUSL='"$(if $(LIBC),$(MUSL_VERSION),none)"' \
  -DIORECEIPT_BEARSSL='"$(BEARSSL_VERSION)"' -DIORECEIPT_LIBAIO='"$(LIBAIO_VERSION)"' \
  -DIORECEIPT_JANSSON='"$(JANSSON_VERSION)"'

# ---- the program --------------------------------------------------------------
# Other flags are another build: objects depend on this file, which changes with them.
define STAMP
$(CC) $(ALL_CFLAGS) $(FAST) $(LINK) $(PINS)
endef
$(BUILD)/flags: FORCE
	$(shell mkdir -p $(@D))$(file >$@.new,$(STAMP))@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(OBJ): $(BUILD)/%.o: src/%.c $(BUILD)/flags | $(DEPS)
	$(call SAY,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(filter-out $(BUILD)/app/main.o,$(OBJ))
	$(Q)rm -f $@ && $(AR) rcD $@ $^

# The built-in authorities: a table, made of Debian's files by a tool that is linked
# like the program itself.
RELEASED := $(shell sed -n 's/^\#define TOOL_RELEASED_S INT64_C(\(.*\))/\1/p' src/app/tool.h)
ROOTS    := $(SYSROOT)/ca-certificates/usr/share/ca-certificates/mozilla
$(BUILD)/mkroots.o: third_party/roots.c $(BUILD)/flags | $(DEPS)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/mkroots: $(BUILD)/mkroots.o $(LIB)
	$(Q)$(LINK)
$(BUILD)/roots.c: $(BUILD)/mkroots $(SYSROOT)/.ca-certificates-$(PINS)
	$(Q)LC_ALL=C $(RUN) $< 'ca-certificates $(CA_CERTIFICATES_VERSION)' $(RELEASED) \
	  $$(LC_ALL=C ls $(ROOTS)/*.crt) >$@.new && mv $@.new $@
$(BUILD)/roots.o: $(BUILD)/roots.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

PLAIN := $(BUILD)/$(PROG)$(if $(PACKED),.plain)
# The objects one by one, not the library: apart.ld knows them by their folders.
$(PLAIN): $(OBJ) $(BUILD)/roots.o $(if $(APART),src/apart.ld)
	$(call SAY,LINK,$@)
	$(Q)$(subst $^,$(filter %.o,$^),$(LINK)) $(APART)
	$(Q)$(if $(filter release,$(CFG)),$(CROSS)strip --strip-all $@)

# ---- what ships ---------------------------------------------------------------
# The program inside of a small one that unpacks it (src/unpack): x86_64 alone, the
# others ship it as it is.  Its stack has no guard, for nobody has set up TLS yet.
ifdef PACKED
UNPACK_CFLAGS = $(filter-out -fstack-protector-strong,$(ALL_CFLAGS)) -fno-stack-protector
$(BUILD)/unpack.o: src/unpack/unpack.c src/unpack/unpack.h $(BUILD)/flags | $(DEPS)
	$(Q)$(CC) $(UNPACK_CFLAGS) -c -o $@ $<
$(BUILD)/pack.o: scripts/pack.c src/unpack/unpack.h $(BUILD)/flags | $(DEPS)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/pack: LIBS := $(SYSROOT)/lib/liblz4.a
$(BUILD)/pack: $(BUILD)/pack.o
	$(Q)$(LINK)
$(BUILD)/packed.o: $(BUILD)/pack $(PLAIN)
	$(Q)$(BUILD)/pack $(PLAIN) >$(BUILD)/packed
	$(Q)printf '.section .packed,"a"\n.balign 4096\n.globl unpack_data, unpack_data_end\nunpack_data:\n.incbin "%s"\nunpack_data_end:\n.section .note.GNU-stack,"",@progbits\n' \
	  $(BUILD)/packed | $(CC) -c -x assembler -o $@ -
$(BUILD)/$(PROG): $(BUILD)/unpack.o $(BUILD)/packed.o
	$(Q)$(CC) -static -no-pie -nostdlib -Wl,--gc-sections,--build-id=none,-e,unpack_start \
	  -Wl,-z,noexecstack,-z,max-page-size=4096,-Ttext-segment=0x10000000 -o $@ $^ \
	  $(SYSROOT)/lib/liblz4.a $(SYSROOT)/lib/libc.a
	$(Q)$(CROSS)strip --strip-all $@
endif

# ---- tests --------------------------------------------------------------------
$(UNIT:=.o): $(BUILD)/tests/%.o: tests/unit/%.c $(BUILD)/flags | $(DEPS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests/unit -MMD -MP -c -o $@ $<

# small programs over the library that integration tests call
$(TOOLS:=.o): $(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags | $(DEPS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(UNIT) $(TOOLS): %: %.o $(BUILD)/roots.o $(LIB)
	$(call SAY,TEST,$@)
	$(Q)$(LINK)

# IORECEIPT tells a test where the binary is, BUILD where its objects are.
# BearSSL's own tests, by its authors, with the library that ships
KAT := $(BUILD)/testcrypto $(BUILD)/testx509
$(KAT): LIBS := $(SYSROOT)/lib/libbearssl.a
$(KAT:=.o): $(BUILD)/test%.o: $(BUILD)/flags | $(DEPS)
	$(Q)$(CC) -w -O1 $(HARDEN) $(call LIBC_HEADERS,$(SYSROOT)) -I$(SYSROOT)/bearssl/src -c -o $@ \
	  $(SYSROOT)/bearssl/test/test_$*.c
$(KAT): %: %.o
	$(Q)$(LINK)

PROVE := prove --timer -e 'scripts/run-test $(RUN)'
ENV    = IORECEIPT=$(CURDIR)/$(BUILD)/$(PROG) BUILD=$(BUILD)
unit: $(UNIT)
	$(Q)$(if $(UNIT),$(PROVE) $(UNIT),echo 'no tests/unit/test_$(T).c' && false)
unit-build: $(UNIT)
integration: $(BUILD)/$(PROG) $(TOOLS) $(KAT)
	$(Q)$(ENV) $(if $(INTEGRATION),$(PROVE) $(INTEGRATION),echo 'no tests/integration/$(I).t' && false)
check: lint
	$(Q)$(MAKE) --no-print-directory CFG=asan unit
	$(Q)$(MAKE) --no-print-directory CFG=release unit
test: $(BUILD)/$(PROG) $(UNIT) $(TOOLS) $(KAT)
	$(Q)$(MAKE) --no-print-directory CFG=asan unit-build
	$(Q)$(ENV) $(PROVE) $(UNIT) $(UNIT:$(BUILD)/%=build/$(ARCH)-asan/%) $(INTEGRATION)
schema: $(BUILD)/tests/test_receipt $(BUILD)/tests/test_facts
	$(Q)for s in receipt facts; do $(RUN) $(BUILD)/tests/test_$$s --schema >$(BUILD)/schema && \
	  cp $(BUILD)/schema src/receipt/$$s.schema.json || exit 1; done
golden: $(GOLDEN:%=$(BUILD)/tests/test_%)
	$(Q)mkdir -p tests/golden && for t in $^; do \
	$(RUN) $$t --golden tests/golden >/dev/null || exit 1; done
bench: $(BUILD)/$(PROG) $(TOOLS)
	$(Q)tests/bench/run $(CURDIR)/$< $(BENCH)

# ---- rules --------------------------------------------------------------------
lint: $(OBJ)
	$(Q)bad=0; \
	scripts/check-layers src || bad=1; \
	scripts/check-symbols $(BUILD) || bad=1; \
	scripts/check-headers src $(CC) $(ALL_CFLAGS) || bad=1; \
	scripts/check-calls src || bad=1; \
	scripts/check-sizes src || bad=1; \
	scripts/check-text Makefile .ci src scripts tests third_party || bad=1; \
	scripts/check-format src tests third_party || bad=1; \
	exit $$bad
dist: $(BUILD)/$(PROG)
	$(Q)scripts/make-dist '$(URL)' build/dist $(wildcard build/*-release/$(PROG))
repro: $(BUILD)/$(PROG)
	$(Q)scripts/check-repro $<
help:
	@sed -n 's/^#: //p' Makefile
clean:
	rm -rf $(wildcard build/*-release build/*-debug build/*-asan) compile_commands.json
distclean:
	rm -rf build compile_commands.json
FORCE:
.PHONY: all unit unit-build integration check test schema golden bench lint dist repro help clean distclean FORCE
-include $(OBJ:.o=.d) $(UNIT:=.d) $(TOOLS:=.d)
