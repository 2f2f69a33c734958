/*
 * "Did you mean": what a name that no list knows was probably meant to be. It
 * is the name that a typing error explains; without one, the names of which it
 * is a part, or that are a part of it. Letters are the same in both cases.
 */
#ifndef SDK_WHOLE_MEANT_H
#define SDK_WHOLE_MEANT_H

/* Names longer than this are never meant. */
#define MEANT_LENGTH 63

struct meant {
    char text[256];
};

/*
 * The end of a message about `wrong`, which is none of count names: ", did you
 * mean 'NAME'?", with two or three names where as many have an equal claim, or
 * nothing. Names appear behind the dashes of an option instead of in quotes if
 * there are dashes; those and a =VALUE behind it may be in `wrong`.
 */
struct meant meant(const char *dashes, const char *wrong,
                   const char *const *names, unsigned count);

/*
 * The name that is closest, NULL: none is near. At most one letter is added,
 * left out, changed or swapped with its neighbour in a name of 2 to 4 letters,
 * two in one of up to 11, three in a longer one.
 */
const char *meant_typing(const char *wrong, const char *const *names,
                         unsigned count);

#endif
