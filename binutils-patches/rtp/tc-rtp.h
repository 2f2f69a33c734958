/* gas for rtp: what the parts of gas ask of a target. */
#define TC_RTP 1
#define TARGET_ARCH bfd_arch_rtp
#define TARGET_FORMAT "elf32-rtp"
#define TARGET_BYTES_BIG_ENDIAN 0
#define WORKING_DOT_WORD
#define DIFF_EXPR_OK
#define DOUBLESLASH_LINE_COMMENTS
#define DWARF2_LINE_MIN_INSN_LENGTH 4

#define md_number_to_chars number_to_chars_littleendian
#define md_section_align(section, size) (size)
#define md_undefined_symbol(name) NULL
#define md_operand(expression)

/* No instruction changes its size. */
#define md_estimate_size_before_relax(frag, section)                           \
    (as_fatal(_("no instruction changes its size")), 0)
#define md_convert_frag(abfd, section, frag)                                   \
    as_fatal(_("no instruction changes its size"))

#define md_frag_check(frag) rtp_frag_check(frag)
struct frag;
extern void rtp_frag_check(struct frag *);
