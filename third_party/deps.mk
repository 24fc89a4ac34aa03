# deps.mk: musl, BearSSL, libaio and jansson, built once per toolchain into
# $(SYSROOT) from the archives pinned in SHA256SUMS.  Included by the Makefile.
#
# Their own build systems are not run (but musl's): a list of .c files and the
# flags below are all there is to it, and nothing in a sysroot holds an absolute
# path, so that build/ may be copied from clone to clone.
#
# A stamp carries the checksum of these files in its name: a sysroot is rebuilt
# when what makes it has changed, not when a checkout gave it a new date.

DL   := build/dl
PINS := $(shell cat third_party/SHA256SUMS third_party/deps.mk \
	third_party/jansson/*.h | cksum | cut -d' ' -f1)

VERSIONS := $(DL)/versions-$(PINS).mk
ifneq ($(if $(MAKECMDGOALS),$(filter-out help clean distclean,$(MAKECMDGOALS)),all),)
include $(VERSIONS)
endif

$(VERSIONS):
	$(call SAY,GET,$(DL))
	@mkdir -p $(@D)
	$(Q)third_party/fetch.sh $(DL) > $@.tmp && rm -f $(DL)/versions-*.mk && mv $@.tmp $@

# $(call UNPACK,library,archive)
UNPACK = rm -rf $(SYSROOT)/$(1) $(SYSROOT)/.$(1)-* && \
	mkdir -p $(SYSROOT)/$(1) $(SYSROOT)/include $(SYSROOT)/lib && \
	tar xf $(DL)/$(2) -C $(SYSROOT)/$(1) --strip-components=1 --no-same-owner

# $(call BUILD_LIB,folder,archive,find words for its .c files,flags): the objects,
# then the library.  File names are unique within each library.  -w: their warnings
# are their authors' business.
DEPFLAGS  = -Os -w -ffunction-sections -fdata-sections $(HARDEN) $(DEPSAN) \
	-ffile-prefix-map=$(CURDIR)/$(SYSROOT)=.
BUILD_LIB = cd $(SYSROOT)/$(1) && find $(3) | LC_ALL=C sort | \
	xargs -P $(NPROC) -n 16 $(CC) $(call LIBC_HEADERS,$(CURDIR)/$(SYSROOT)) $(DEPFLAGS) $(4) -c && \
	$(AR) rcD ../lib/$(2).a $$(ls *.o | LC_ALL=C sort)

# Kernel headers: those of the machine, linux-libc-dev.
KHEADERS = $(wildcard $(foreach d,linux asm asm-generic,$(KINC:%=%/$(d))))

$(SYSROOT)/.musl-$(PINS): | $(VERSIONS)
	$(call SAY,DEP,musl $(MUSL_VERSION))
	$(Q)$(call UNPACK,musl,$(MUSL_ARCHIVE))
	$(Q)cd $(SYSROOT)/musl && CC=$(CC) CROSS_COMPILE=$(CROSS) \
	    CFLAGS="-ffile-prefix-map=$(CURDIR)/$(SYSROOT)=." ./configure --prefix=/ \
	    --disable-shared --disable-wrapper $(if $(CROSS),--target=$(ARCH)-linux-musl) >build.log 2>&1 && \
	    $(MAKE) -s DESTDIR=.. install >>build.log 2>&1 || { tail -20 build.log; exit 1; }
	$(Q)for d in $(KHEADERS); do ln -sfn $$d $(SYSROOT)/include/; done
	$(Q)touch $@

# RDRAND, /dev/urandom and the clock are ours to give: a TLS engine that was
# given none fails closed.
$(SYSROOT)/.bearssl-$(PINS): | $(VERSIONS) $(LIBC)
	$(call SAY,DEP,bearssl $(BEARSSL_VERSION))
	$(Q)$(call UNPACK,bearssl,$(BEARSSL_ARCHIVE))
	$(Q)$(call BUILD_LIB,bearssl,libbearssl,src -name '*.c',-Isrc -Iinc -fno-strict-aliasing \
	    -DBR_RDRAND=0 -DBR_USE_URANDOM=0 -DBR_USE_UNIX_TIME=0 $(BEARFLAGS))
	$(Q)cp $(SYSROOT)/bearssl/inc/*.h $(SYSROOT)/include/
	$(Q)touch $@

$(SYSROOT)/.libaio-$(PINS): | $(VERSIONS) $(LIBC)
	$(call SAY,DEP,libaio $(LIBAIO_VERSION))
	$(Q)$(call UNPACK,libaio,$(LIBAIO_ARCHIVE))
	$(Q)$(call BUILD_LIB,libaio,libaio,src -name 'io_*.c' -o -name raw_syscall.c,-Isrc)
	$(Q)cp $(SYSROOT)/libaio/src/libaio.h $(SYSROOT)/include/
	$(Q)touch $@

$(SYSROOT)/.jansson-$(PINS): | $(VERSIONS) $(LIBC)
	$(call SAY,DEP,jansson $(JANSSON_VERSION))
	$(Q)$(call UNPACK,jansson,$(JANSSON_ARCHIVE))
	$(Q)cp third_party/jansson/*.h $(SYSROOT)/jansson/src/
	$(Q)$(call BUILD_LIB,jansson,libjansson,src -name '*.c',-Isrc -DHAVE_CONFIG_H=1)
	$(Q)cp $(SYSROOT)/jansson/src/jansson.h $(SYSROOT)/jansson/src/jansson_config.h $(SYSROOT)/include/
	$(Q)touch $@

$(SYSROOT)/.ca-certificates-$(PINS): | $(VERSIONS)
	$(call SAY,DEP,ca-certificates $(CA_CERTIFICATES_VERSION))
	$(Q)rm -rf $(SYSROOT)/ca-certificates && mkdir -p $(SYSROOT) && \
	  dpkg-deb -x $(DL)/$(CA_CERTIFICATES_ARCHIVE) $(SYSROOT)/ca-certificates
	$(Q)touch $@

# Compression for src/unpack, which has no TLS for a stack guard, and for its tool.
$(SYSROOT)/.lz4-$(PINS): | $(VERSIONS) $(LIBC)
	$(call SAY,DEP,lz4 $(LZ4_VERSION))
	$(Q)$(call UNPACK,lz4,$(LZ4_ARCHIVE))
	$(Q)$(call BUILD_LIB,lz4,liblz4,lib -name 'lz4.c' -o -name 'lz4hc.c' -o -name xxhash.c,-Ilib \
	    -fno-stack-protector)
	$(Q)cp $(SYSROOT)/lz4/lib/lz4.h $(SYSROOT)/lz4/lib/lz4hc.h $(SYSROOT)/lz4/lib/xxhash.h $(SYSROOT)/include/
	$(Q)touch $@

DEPS := $(LIBC) $(foreach l,bearssl libaio jansson $(if $(PACKED),lz4),$(SYSROOT)/.$(l)-$(PINS))
