# What corbel-scene and corbel-rays share.
SDK_COMMON_SRC := $(wildcard sdk/common/*.c)
# Hashes and verifies megabytes; -O2 leaves the hash's four lanes in memory.
$(B)/obj/sdk/common/file.o: OPT = -O3
