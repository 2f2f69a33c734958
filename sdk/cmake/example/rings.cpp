// Rings around the middle of an image, drawn by all harts.
#include "checksum.h"

#include <corbel/corbel.h>

#include <cstdio>
#include <vector>

struct Image {
    unsigned size;
    std::vector<uint8_t> rgb;
};

static void draw(void *arg)
{
    auto &image = *static_cast<Image *>(arg);
    for (uint32_t i; (i = corbel_next()) < image.size * image.size;) {
        int x = 2 * int(i % image.size) - int(image.size);
        int y = 2 * int(i / image.size) - int(image.size);
        uint8_t *pixel = &image.rgb[3 * i];
        pixel[0] = uint8_t((x * x + y * y) / 64);
        pixel[1] = uint8_t(pixel[0] * 2);
        pixel[2] = uint8_t(255 - pixel[0]);
    }
}

int main(int argc, char **argv)
{
    Image image{64, std::vector<uint8_t>(3 * 64 * 64)};
    corbel_launch(draw, &image);
    std::printf("checksum %08x\n",
                unsigned(checksum(image.rgb.data(), image.rgb.size())));
    return argc == 2 && corbel_image_write(argv[1], image.rgb.data(),
                                           image.size, image.size);
}
