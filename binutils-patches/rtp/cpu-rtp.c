/* The architecture rtp, as BFD lists it. */
#include "sysdep.h"

#include "bfd.h"
#include "libbfd.h"

const bfd_arch_info_type bfd_rtp_arch = {
    .bits_per_word = 32,
    .bits_per_address = 32,
    .bits_per_byte = 8,
    .arch = bfd_arch_rtp,
    .mach = bfd_mach_rtp,
    .arch_name = "rtp",
    .printable_name = "rtp",
    .section_align_power = 2,
    .the_default = true,
    .compatible = bfd_default_compatible,
    .scan = bfd_default_scan,
    .fill = bfd_arch_default_fill,
};
