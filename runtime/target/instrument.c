/* -finstrument-functions: what a program does not define does nothing. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
}

void __cyg_profile_func_exit(void *function, void *caller)
{
}
