/* <stdlib.h>, <string.h>, <time.h>, <stdio.h>: what programs use of the rest.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <libgen.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static void random_numbers(void)
{
    unsigned short seed[3] = {1, 2, 3};

    srand48(42);
    for (int i = 0; i < 5; i++) {
        printf("%a\n", drand48());
        printf("%ld\n", lrand48());
        printf("%ld\n", mrand48());
    }
    for (int i = 0; i < 20; i++) {
        printf("%a\n", erand48(seed));
        printf("%ld\n", nrand48(seed));
        printf("%ld\n", jrand48(seed));
    }
    srand48(-1);
    printf("%ld\n", mrand48());
}

/* What cannot be had is refused, and errno says so. */
static void memory(void)
{
    static const size_t halves[] = {SIZE_MAX, SIZE_MAX / 2 + 1,
                                    SIZE_MAX / 16 + 2};
    volatile size_t n, m;
    void *p = NULL;

    for (size_t i = 0; i < 3; i++) {
        n = halves[i], m = 16;
        errno = 0;
        p = calloc(n, m);
        printf("calloc %d %d\n", p == NULL, errno == ENOMEM);
        errno = 0;
        p = calloc(m, n);
        printf("calloc %d %d\n", p == NULL, errno == ENOMEM);
        errno = 0;
        p = reallocarray(NULL, n, m);
        printf("reallocarray %d %d\n", p == NULL, errno == ENOMEM);
        errno = 0;
        p = malloc(n - 8);
        printf("malloc %d\n", n > SIZE_MAX / 4 ? p == NULL : 1);
        errno = 0;
        p = aligned_alloc(64, n & ~(size_t)63);
        printf("aligned_alloc %d\n", n > SIZE_MAX / 4 ? p == NULL : 1);
    }
    for (size_t align = 8; align <= 65536; align *= 2) {
        int why = posix_memalign(&p, align, 100);
        printf("posix_memalign %d %d ", why, (int)((uintptr_t)p % align));
        memset(p, 1, 100);
        p = realloc(p, 1000);
        printf("%d\n", ((char *)p)[99]);
        free(p);
        p = aligned_alloc(align, 2 * align);
        printf("aligned_alloc %d\n", (int)((uintptr_t)p % align));
        free(p);
    }
    printf("posix_memalign %d\n", posix_memalign(&p, 24, 100) == EINVAL);
}

static void paths(void)
{
    static const char *const names[] = {"",   "/",     "a",     "a/",
                                        "/a", "a/b.c", "/a/b/", ".",
                                        "..", "a//b",  "a//b//"};
    char copy[32];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strcpy(copy, names[i]);
        printf("basename %s ", basename(copy));
        strcpy(copy, names[i]);
        printf("dirname %s\n", dirname(copy));
    }
    printf("%d %d %d\n", fnmatch("*.obj", "a.obj", 0),
           fnmatch("a[0-9]?", "a1", 0), fnmatch("*/b", "a/b", FNM_PATHNAME));
}

static void expressions(void)
{
    static const char *const patterns[] = {
        "^v +([0-9.]+)", "(a|b)*c", "[[:alpha:]]+$", "x{2,3}", "(", "a.c"};
    regmatch_t match[2];
    regex_t compiled;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        int why = regcomp(&compiled, patterns[i], REG_EXTENDED);
        printf("regcomp %d\n", why != 0);
        if (why)
            continue;
        static const char *const texts[] = {"v 1.5 2", "abababc", "123abc",
                                            "xxxx", "a\nc"};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            int found = regexec(&compiled, texts[j], 2, match, 0);
            printf(" %d", found != 0);
            if (!found)
                printf(" %d-%d", (int)match[0].rm_so, (int)match[0].rm_eo);
        }
        putchar('\n');
        regfree(&compiled);
    }
}

static void strings(void)
{
    char text[64] = "one, two;;three", *save = NULL, *rest = text;

    for (char *t = strtok_r(text, ", ", &save); t;
         t = strtok_r(NULL, ", ", &save))
        puts(t);
    strcpy(text, "a::b");
    for (char *t; (t = strsep(&rest, ":"));)
        printf("[%s]\n", t);
    printf("%d %d %d\n", strcasecmp("ABC", "abc"), strncasecmp("ABd", "abc", 2),
           strcmp("a", "b") < 0);
    printf("%s %s\n", strstr("abcabd", "abd"), strpbrk("hello", "lo"));
    printf("%zu %zu %zu\n", strspn("aab", "a"), strcspn("abc", "c"),
           strnlen("abc", 2));
    printf("%d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 20), ffsll(1LL << 40));
    printf("%d %d\n", !!isalpha('\xe4' & 255), toupper('a'));
    printf("%d %d\n", memcmp("ab\200", "ab\1", 3) > 0, strcoll("a", "b") < 0);
    printf("%s\n", strndup("abcdef", 3));
}

static void dates(void)
{
    static const time_t times[] = {0,         1,          86399,
                                   951782400, 1709164800, 4102444800};
    struct tm tm;
    char text[80];

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        gmtime_r(&times[i], &tm);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U %p %y %e",
                 &tm);
        printf("%s %lld\n", text, (long long)mktime(&tm));
    }
    printf("%s", asctime(gmtime(&times[3])));
}

static void streams(void)
{
    char *line = NULL, *memory = NULL;
    size_t room = 0, size = 0;
    FILE *f = tmpfile();

    printf("tmpfile %d\n", f != NULL);
    fputs("first\nsecond line\n\nlast", f);
    rewind(f);
    for (ssize_t n; (n = getline(&line, &room, f)) >= 0;)
        printf("%d %s|\n", (int)n, line);
    rewind(f);
    printf("%d ", (int)getdelim(&line, &room, 'i', f));
    puts(line);
    printf("%d", fscanf(f, "%*s %s", line));
    printf(" %s %ld\n", line, ftell(f));
    ungetc('x', f);
    printf("%c %d\n", fgetc(f), feof(f));
    fclose(f);
    f = open_memstream(&memory, &size);
    fprintf(f, "%05d", 42);
    fclose(f);
    printf("%s %zu\n", memory, size);
    f = fmemopen(memory, size, "r");
    int n = 0;
    printf("%d", fscanf(f, "%d", &n));
    printf(" %d\n", n);
    fclose(f);
    free(memory);
    char name[L_tmpnam];
    f = fopen(tmpnam(name), "w");
    printf("tmpnam %d ", f != NULL);
    printf("%d\n", remove(name));
    free(line);
}

static int by_value(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sorting(void)
{
    int numbers[] = {5, -3, 9, 0, 5, -8, 2}, key = 2;

    qsort(numbers, 7, sizeof *numbers, by_value);
    for (int i = 0; i < 7; i++)
        printf("%d ", numbers[i]);
    printf("%td\n",
           (int *)bsearch(&key, numbers, 7, sizeof key, by_value) - numbers);
    printf("%d %lld\n", div(-7, 2).rem, lldiv(-7, 2).quot);
    printf("%d\n", abs(-5));
}

static void options(void)
{
    char *argv[] = {"prog", "-a", "--long=5", "rest", "-b", "x", NULL};
    static const struct option known[] = {
        {"long", required_argument, NULL, 'l'}, {0}};

    for (int c; (c = getopt_long(6, argv, "ab:", known, NULL)) != -1;)
        printf("%c %s\n", c, optarg ? optarg : "-");
    printf("%d %s\n", optind, argv[optind]);
}

int main(void)
{
    random_numbers();
    memory();
    paths();
    expressions();
    strings();
    dates();
    streams();
    sorting();
    options();
    return 0;
}
