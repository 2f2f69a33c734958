/*
 * Messages of paging: between TLBs and the GMMU, and between the GMMU and PCIe.
 *
 * A TLB asks with PAGE_WALK and keeps the access; the answer, PAGE_FOUND or
 * PAGE_DIRECT, brings addr and tag back, however long a fault takes. Without
 * being asked the GMMU tells TLBs to forget. A TLB may stand between: it
 * answers for the GMMU what it knows, and passes the rest on.
 */
#ifndef SIM_PAGING_H
#define SIM_PAGING_H

enum page_op {
    PAGE_WALK,   /* addr, tag; aux: enum page_use */
    PAGE_TOUCH,  /* the page of addr was used by way of a TLB; aux: enum
                    page_use; no answer */
    PAGE_FOUND,  /* it is resident; a TLB may keep that */
    PAGE_DIRECT, /* this access goes over PCIe and has been waited for; the page
                    is not resident */
    PAGE_FORGET, /* value: bytes from addr on are resident no more */
    PAGE_FLUSH,  /* forget all */
};

enum page_use { PAGE_READ, PAGE_WRITE };

/* To PCIe. Each is answered at once by PCIE_DONE with the same tag; addr: the
 * cycle in which it begins, value: that from which on it is done. */
enum pcie_op {
    PCIE_READ,  /* value: bytes, to the device */
    PCIE_FAULT, /* value: cycles, of a fault that occupies the read channel */
    PCIE_DMA,   /* a read that migrates nothing */
    PCIE_WRITE, /* value: bytes, to the host */
    PCIE_HOME, /* value: bytes, to the host, as device synchronise sends them */
    PCIE_DONE,
};

#endif
