/* Options of corbel-scene and what --help says of them and of commands. */
#include "scene_options.h"

#include "forest.h"
#include "sdk/common/arguments.h"
#include "sdk/common/report.h"

#include "sdk/version/version.h"

#include <corbel/traverse.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAF_LIMIT_DEFAULT 4
#define PICTURE_SIDE_MAX 16384

/*
 * The names of the formats, each after a space, as usage and errors list them.
 */
#define SPACE_NAME(id, name, ...) " " #name
#define NODE_NAMES CORBEL_NODE_FORMATS(SPACE_NAME)
#define LEAF_NAMES CORBEL_LEAF_FORMATS(SPACE_NAME)

static const char usage_text[] =
    "usage:\n"
    "  corbel-scene convert INPUT OUTPUT.scene [tree options]\n"
    "      INPUT: .obj, .ply, .gltf, .glb, or a .scene to be encoded anew;\n"
    "      also with .gz or .xz after it\n"
    "  corbel-scene generate arcade|cornell|layers [OUTPUT.scene]\n"
    "      [--triangles N] [--ply FILE] [--obj FILE] [tree options]\n"
    "  corbel-scene generate forest OUTPUT.scene [--instances N] [tree "
    "options]\n"
    "      N: 1..4000000, trees and the ground (1000)\n"
    "  corbel-scene info FILE.scene|INPUT [--json]\n"
    "      of a mesh: what is read of it and what is left out\n"
    "  corbel-scene check FILE.scene\n"
    "  corbel-scene trace FILE.scene [--eye X,Y,Z] [--look X,Y,Z]\n"
    "      [--fov DEGREES] [--size W[xH]] [--stack ENTRIES] [--hits FILE]\n"
    "  corbel-scene trace FILE.scene RAYS.rays [--stack ENTRIES] [--hits "
    "FILE]\n"
    "      [--by corbel|embree] [--quality low|medium|high]\n"
    "      ENTRIES: 0 as many as are needed (0); --by embree: another "
    "program,\n"
    "      to compare with, and the quality of its tree (high)\n"
    "  corbel-scene compare A.hits B.hits[.xz]\n"
    "  corbel-scene compare A.hits B.hits FILE.scene [--limit N]\n"
    "      with the scene: records of trace RAYS.rays or replay; N may differ\n"
    "      (0)\n"
    "  corbel-scene export-rtp INPUT OUTPUT.tri [--shader WORD]\n"
    "      the triangles of the processor rtp, 511 at most; WORD: shader word "
    "of\n"
    "      all, not 0 (the number of the material, counted from 1)\n"
    "tree options:\n"
    "  --nodes FORMAT               node format (cwbvh6), one of\n"
    "     " NODE_NAMES "\n"
    "  --leaves FORMAT              triangle format (plain), one of\n"
    "     " LEAF_NAMES "\n"
    "  --quality low|medium|high    effort of the tree builder (high)\n"
    "  --leaf N                     most triangles in a leaf, 1..8 (4)\n"
    "  --order depth|breadth|parts  in which nodes are written (depth): parts\n"
    "                               of 64 KB grow by the largest box\n"
    "  --treelets BYTES             cuts the tree into parts of that size,\n"
    "                               512..16777216, a multiple of 64; nodes\n"
    "                               of cwbvh6t, cwbvh5t, bvhN (cwbvh6t)\n"
    "--help, --version\n"
    "exit status: 0, 1 compare found differences, 2 usage, 3 bad input,\n"
    "  4 output cannot be written\n";

/* Codes of the options, behind all characters. */
enum {
    OPTION_NODES = 256,
    OPTION_LEAVES,
    OPTION_QUALITY,
    OPTION_LEAF,
    OPTION_ORDER,
    OPTION_TREELETS,
    OPTION_TRIANGLES,
    OPTION_INSTANCES,
    OPTION_JSON,
    OPTION_EYE,
    OPTION_LOOK,
    OPTION_FOV,
    OPTION_SIZE,
    OPTION_STACK,
    OPTION_HITS,
    OPTION_BY,
    OPTION_LIMIT,
    OPTION_PLY,
    OPTION_OBJ,
    OPTION_SHADER,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct option long_options[] = {
    {"nodes", required_argument, NULL, OPTION_NODES},
    {"leaves", required_argument, NULL, OPTION_LEAVES},
    {"quality", required_argument, NULL, OPTION_QUALITY},
    {"leaf", required_argument, NULL, OPTION_LEAF},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"treelets", required_argument, NULL, OPTION_TREELETS},
    {"triangles", required_argument, NULL, OPTION_TRIANGLES},
    {"instances", required_argument, NULL, OPTION_INSTANCES},
    {"json", no_argument, NULL, OPTION_JSON},
    {"eye", required_argument, NULL, OPTION_EYE},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"fov", required_argument, NULL, OPTION_FOV},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"stack", required_argument, NULL, OPTION_STACK},
    {"hits", required_argument, NULL, OPTION_HITS},
    {"by", required_argument, NULL, OPTION_BY},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"ply", required_argument, NULL, OPTION_PLY},
    {"obj", required_argument, NULL, OPTION_OBJ},
    {"shader", required_argument, NULL, OPTION_SHADER},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

/* The number of a node format by its name. */
static uint32_t parse_nodes(const char *text)
{
#define X(id, name, ...)                                                       \
    if (strcmp(text, #name) == 0)                                              \
        return id;
    CORBEL_NODE_FORMATS(X)
    fail(STATUS_USAGE, "--nodes: '%s', expected one of" NODE_NAMES, text);
}

/* Likewise of a format of leaves. */
static uint32_t parse_leaves(const char *text)
{
    CORBEL_LEAF_FORMATS(X)
    fail(STATUS_USAGE, "--leaves: '%s', expected one of" LEAF_NAMES, text);
}
#undef X

/* Bytes of a treelet. */
static uint32_t parse_treelets(const char *text)
{
    const unsigned bytes = argument_unsigned(
        "--treelets", text, CORBEL_TREELET_LEAST, CORBEL_TREELET_MOST);
    if (bytes % CORBEL_SCENE_ALIGN != 0)
        fail(STATUS_USAGE, "--treelets: '%s', expected a multiple of %u", text,
             CORBEL_SCENE_ALIGN);
    return bytes;
}

/* In the order of enum order, of enum quality, and of no and yes for
 * options.embree. */
static const char *const order_words[] = {"depth", "breadth", "parts"};
static const char *const quality_words[] = {"low", "medium", "high"};
static const char *const by_words[] = {"corbel", "embree"};

/* Options of the view that is traced. False: it is another one. */
static bool parse_view(int option, struct options *o)
{
    switch (option) {
    case OPTION_EYE:
        argument_point("--eye", optarg, o->view.eye);
        o->eye_given = true;
        break;
    case OPTION_LOOK:
        argument_point("--look", optarg, o->view.look);
        o->look_given = true;
        break;
    case OPTION_FOV:
        o->view.fov = argument_fov("--fov", optarg);
        o->fov_given = true;
        break;
    case OPTION_SIZE:
        argument_size("--size", optarg, PICTURE_SIDE_MAX, &o->view.width,
                      &o->view.height);
        break;
    case OPTION_STACK:
        o->view.stack_entries =
            argument_unsigned("--stack", optarg, 0, CORBEL_STACK_MAX);
        break;
    default:
        return false;
    }
    return true;
}

/* Options of the tree that is built. False: it is another one. */
static bool parse_tree(int option, struct options *o)
{
    switch (option) {
    case OPTION_NODES:
        o->layout.nodes = parse_nodes(optarg);
        break;
    case OPTION_LEAVES:
        o->layout.leaves = parse_leaves(optarg);
        break;
    case OPTION_QUALITY:
        o->quality = (enum quality)argument_word(
            "--quality", optarg, quality_words, 3, "low, medium or high");
        break;
    case OPTION_LEAF:
        o->layout.leaf_limit =
            argument_unsigned("--leaf", optarg, 1, CORBEL_LEAF_MAX);
        break;
    case OPTION_ORDER:
        o->layout.order = (enum order)argument_word(
            "--order", optarg, order_words, 3, "depth, breadth or parts");
        break;
    case OPTION_TREELETS:
        o->layout.treelet_bytes = parse_treelets(optarg);
        break;
    default:
        return false;
    }
    return true;
}

/* The format of nodes depends on whether they lie in treelets. */
static void choose_nodes(struct layout *layout)
{
    const bool treelets = layout->treelet_bytes > 0;
    if (layout->nodes == 0)
        layout->nodes = treelets ? CORBEL_NODES_cwbvh6t : CORBEL_NODES_cwbvh6;
    if (treelets && layout->order != ORDER_DEPTH)
        fail(STATUS_USAGE, "--order: expected none with --treelets, which say "
                           "in which order nodes are");
    if (treelets && !corbel_node_knows_treelets(layout->nodes))
        fail(STATUS_USAGE,
             "--treelets: nodes of format %s cannot refer to other treelets; "
             "those of cwbvh6t can",
             corbel_node_name(layout->nodes));
}

/* Notes an option's value; one that is out of range ends the program. */
static void parse_option(int option, char **argv, struct options *o)
{
    if (parse_view(option, o) || parse_tree(option, o))
        return;
    switch (option) {
    case OPTION_TRIANGLES:
        o->triangles = argument_unsigned("--triangles", optarg, 1, 100000000);
        break;
    case OPTION_INSTANCES:
        o->instances =
            argument_unsigned("--instances", optarg, 1, FOREST_INSTANCES_MOST);
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case OPTION_HITS:
        o->hits = optarg;
        break;
    case OPTION_BY:
        o->embree =
            argument_word("--by", optarg, by_words, 2, "corbel or embree");
        break;
    case OPTION_LIMIT:
        o->limit = argument_unsigned("--limit", optarg, 0, UINT_MAX);
        break;
    case OPTION_PLY:
        o->ply = optarg;
        break;
    case OPTION_OBJ:
        o->obj = optarg;
        break;
    case OPTION_SHADER:
        o->shader = argument_nonzero("--shader", optarg);
        break;
    case OPTION_HELP:
        fputs(usage_text, stdout);
        exit(finish(STATUS_OK));
    case OPTION_VERSION:
        version_print("corbel-scene");
        exit(finish(STATUS_OK));
    default:
        argument_wrong(option, argv, long_options);
    }
}

int options_read(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){
        .layout = {.leaves = CORBEL_LEAVES_plain,
                   .leaf_limit = LEAF_LIMIT_DEFAULT},
        .quality = QUALITY_HIGH,
        .view = {.width = 256, .height = 256},
    };
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1)
        parse_option(option, argv, options);
    choose_nodes(&options->layout);
    return optind;
}
