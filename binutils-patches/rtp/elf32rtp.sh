# The linker's emulation elf32rtp: what is not the usual.
SCRIPT_NAME=rtp
TEMPLATE_NAME=elf
OUTPUT_FORMAT=elf32-rtp
ARCH=rtp
MAXPAGESIZE=4
EMBEDDED=yes
