/*
 * Exceptions on several harts. libgcc's unwinder is made for one thread: at its
 * first use it fills and sorts tables that it only reads afterwards. So the
 * first throw uses it once before, while other harts wait. The linker has what
 * throws come here (--wrap, corbel.specs).
 */
#include <stddef.h>
#include <unwind.h>

#include "runtime/target/gthr.h"

_Unwind_Reason_Code
__real__Unwind_RaiseException(struct _Unwind_Exception *exception);
_Unwind_Reason_Code
__wrap__Unwind_RaiseException(struct _Unwind_Exception *exception);

static _Unwind_Reason_Code stop(struct _Unwind_Context *context, void *unused)
{
    return _URC_NORMAL_STOP;
}

static void unwind_once(void)
{
    _Unwind_Backtrace(stop, NULL);
}

_Unwind_Reason_Code
__wrap__Unwind_RaiseException(struct _Unwind_Exception *exception)
{
    static __gthread_once_t once;

    __gthread_once(&once, unwind_once);
    return __real__Unwind_RaiseException(exception);
}
