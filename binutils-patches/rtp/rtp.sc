# The linker's default script for rtp. Its memories are the rows of
# RTP_MEMORY in rtp.def. A link whose sections do not fit, or are no whole
# number of their memory's units, fails.
memories() { # FORMAT: of each row; \1 name, \2 section, \3 origin, \4 size, \5 unit
    sed -nE 's/^RTP_MEMORY\((\w+), "([^"]+)", (\w+), (\w+), ([0-9]+),.*/'"$1"'/p' \
        "$srcdir/../include/opcode/rtp.def"
}
echo "OUTPUT_FORMAT (\"$OUTPUT_FORMAT\")"
echo "OUTPUT_ARCH ($ARCH)"
if [ -z "$RELOCATING" ]; then
    echo 'SECTIONS'
    echo '{'
    memories '  \2 0 : { *(\2) }'
else
    echo 'MEMORY'
    echo '{'
    memories '  \1 : ORIGIN = \3, LENGTH = \4'
    echo '}'
    echo 'SECTIONS'
    echo '{'
    cat <<'EOF'
  .text : { *(.text .text.*) } > program
  .const : { *(.const .const.* .rodata .rodata.*) } > constants
  .triangles : { *(.triangles .triangles.*) } > triangles
  .data 0 (NOLOAD) : { *(.data .data.* .bss .bss.* COMMON) }
  ASSERT (SIZEOF (.data) == 0,
    "there is no memory for .data and .bss: use .const, or the thread's stack")
  ASSERT (DEFINED (start) ? start == 0 : 1,
    "start is not at address 0, where threads start: link its object first")
EOF
    memories '  ASSERT (SIZEOF (\2) % \5 == 0,\n    "the size of section \2 is not a multiple of \5 bytes")'
fi
. "$srcdir/scripttempl/DWARF.sc"
echo '}'
