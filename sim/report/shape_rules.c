/* The members of the JSON files of a run, each with its meaning. */
#include "sim/report/shape_rules.h"
#include "sim/core/formats.h"
#include <stddef.h>

/* ---- stats.json: what statistics mean ---- */

static const struct rule counter_row[] = {
    {"unit", TEXT, "what it counts"}, {"meaning", TEXT, "in words"}, {0}};
static const struct rule bucket_row[] = {
    {"unit", TEXT, "cycles, of what"},
    {"meaning", TEXT, "in words"},
    {"role", TEXT, "what such cycles are", .choices = "busy|idle|waits|full"},
    {"target", TEXT,
     "what is waited for, or what the port without room leads to",
     .optional = true},
    {"stream", BOOL, "what comes is what other cores have asked for",
     .optional = true},
    {0}};
static const struct rule histogram_row[] = {
    {"unit", TEXT, "of its edges"},
    {"of", TEXT, "what it counts"},
    {"meaning", TEXT, "in words"},
    {"edges", COUNTS, "where each range begins, and where the last one ends"},
    {0}};
static const struct rule figure_row[] = {
    {"unit", TEXT, "share: from 0 to 1", .optional = true},
    {"part", BOOL, "with others it sums to a whole", .optional = true},
    {"over", TERMS, "a ratio: counters and buckets that are summed up",
     .optional = true},
    {"under", TERMS, "those that divide it; without: 10^9 simulated seconds",
     .optional = true},
    {"per_mille", COUNT, "a percentile: how many of 1000 are at most this",
     .optional = true},
    {"of", TEXT, "a percentile: the histogram", .optional = true},
    {0}};
static const struct rule port[] = {{"name", TEXT, "what links are made by"},
                                   {"output", BOOL, "it sends, or takes"},
                                   {0}};
static const struct rule request[] = {
    {"name", TEXT, "what is asked for"},
    {"meaning", TEXT, "in words"},
    {"waits", TEXT, "the counter or bucket of what waits", .optional = true},
    {"first", TEXT, "of the first one: where their counters begin",
     .optional = true},
    {0}};

/* What limits a kind: verdicts are made of it. */
#define RULE_TEXT TEXT
#define RULE_SORT TEXT
#define RULE_FLAG BOOL
#define RULE_TERMS TERMS
#define RULE_TERM TEXT
#define RULE_PORT TEXT
#define RULE_LEGS TERMS
#define RULE_NUMBER COUNT
#define RULE_PAIR TERMS
static const struct rule limit_row[] = {
#define F(sort, member, meaning)                                               \
    {#member, RULE_##sort, meaning, .optional = true},
#include "sim/verdict/limit_fields.def"
#undef F
    {0}};
static const struct rule kind[] = {
    {"meaning", TEXT, "what it is"},
    {"counters", EACH, "events and cycles, by name", counter_row},
    {"buckets", EACH, "which divide a unit's cycles, by name", bucket_row},
    {"histograms", EACH, "by name", histogram_row},
    {"figures", EACH, "how what is derived is computed, by name", figure_row},
    {"core", BOOL, "it runs programs", .optional = true},
    {"ports", LIST, "by number", port, .optional = true},
    {"requests", LIST, "to memory, with --stalls", request, .optional = true},
    {"limits", LIST, "what could be doubled", limit_row, .optional = true},
    {0}};

/* ---- stats.json: groups and units ---- */

static const struct rule served[] = {
    {"requests", COUNT, "that were answered"},
    {"cycles", COUNT, "from sending them to taking their answers"},
    {"legs", EACH_COUNT, "where these were"},
    {0}};
static const struct rule waits[] = {
    {"counter", TEXT, "the bucket or counter of those who waited"},
    {"cycles", COUNT, "its value"},
    {"legs", EACH_REAL, "shared out as the requests' own cycles"},
    {0}};
static const struct rule trip[] = {
    {"meaning", TEXT, "what is asked for"},
    {"requests", COUNT, "that were answered"},
    {"cycles", COUNT, "from sending them to taking their answers"},
    {"legs", EACH_COUNT, "where these were"},
    {"called", EACH_TEXT, "the legs by the groups that they are at",
     .optional = true},
    {"waits", OBJECT, "what waited for them", waits, .optional = true},
    {"served", EACH, "the same, by the level that had the data", served},
    {0}};
static const struct rule histogram[] = {
    {"edges", COUNTS, "from the first range that counted any, and an end"},
    {"counts", COUNTS, "between each two edges"},
    {0}};
static const struct rule group[] = {
    {"kind", TEXT, "which schema explains it"},
    {"units", COUNT, "how many are summed up"},
    {"accounts", COUNT, "cycles that buckets get in a cycle: units, or harts"},
    {"counters", EACH_COUNT, "events and cycles"},
    {"buckets", EACH_COUNT, "which sum to the cycles times accounts"},
    {"histograms", EACH, "those that counted any", histogram, .optional = true},
    {"derived", EACH_REAL, "figures", .optional = true},
    {"trips", EACH, "requests to memory, with --stalls", trip,
     .optional = true},
    {0}};
static const struct rule unit[] = {
    {"name", TEXT, "of the unit, or TILE.GROUP of several"},
    {"kind", TEXT, "which schema explains it"},
    {"group", TEXT, "that it belongs to"},
    {"tile", TEXT, "that it belongs to"},
    {"units", COUNT, "how many are summed up"},
    {"accounts", COUNT, "cycles that buckets get in a cycle"},
    {"counters", EACH_COUNT, "events and cycles"},
    {"buckets", EACH_COUNT, "which sum to the cycles times accounts"},
    {"histograms", EACH, "those that counted any", histogram, .optional = true},
    {0}};

/* ---- stats.json: the verdict ---- */

static const struct rule part[] = {
    {"group", TEXT, "whose time it is"},
    {"request", TEXT, "of which request to memory", .optional = true},
    {"name", TEXT, "a bucket, a counter, or what a leg is called"},
    {"inside", BOOL,
     "true: of a ray in its slot; false: of a hart, or a ray on its way"},
    {"share", REAL, "of the busy cycles of harts"},
    {"limit", COUNT, "the limit it is for, by its place", .optional = true},
    {0}};
static const struct rule limit_links[] = {
    {"from", TEXT, "group and port"}, {"to", TEXT, "group and port"}, {0}};
static const struct rule limit[] = {
    {"group", TEXT, "where it is"},
    {"name", TEXT, "what it is"},
    {"sort", TEXT, "which sort of limit it is",
     .choices = "rate|places|latency|size|program"},
    {"param", TEXT, "the parameter that sets it", .optional = true},
    {"value", REAL, "of that", .optional = true},
    {"used", REAL, "share of the cycles", .optional = true},
    {"waiting", REAL, "mean number that wait at each", .optional = true},
    {"load", REAL, "share of the cycles, used or full", .optional = true},
    {"full", REAL, "share of the cycles", .optional = true},
    {"links", OBJECT, "that are at it", limit_links, .optional = true},
    {0}};
static const struct rule prediction[] = {
    {"change", TEXT, "as --set takes it, or in words"},
    {"speedup", REAL, "how many times as fast the run would be"},
    {0}};
static const struct rule work[] = {
    {"work", TEXT, "of which sort"},
    {"done", REAL, "in a cycle"},
    {"per_byte", REAL, "for each byte of main memory"},
    {"peak", REAL, "in a cycle, of the units"},
    {"roof", REAL, "in a cycle, at most, by peak and main memory"},
    {0}};
static const struct rule roofline[] = {
    {"memory", REAL, "bytes a cycle that main memory could move"},
    {"works", LIST, "one for each sort of work", work},
    {0}};
static const struct rule verdict[] = {
    {"text", TERMS, "sentences for people"},
    {"busy", REAL, "share of the harts' cycles that were not idle"},
    {"parts", LIST, "of those cycles; shares sum to 1", part},
    {"limits", LIST, "what could be doubled", limit},
    {"predictions", LIST, "gains, with --stalls", prediction, .optional = true},
    {"roofline", OBJECT, "work and main memory", roofline},
    {0}};

/* ---- stats.json: parts of the run, links, all ---- */

static const struct rule range[] = {{"begin", COUNT, "its first cycle"},
                                    {"end", COUNT, "the cycle behind its last"},
                                    {"cycles", COUNT, "between them"},
                                    {0}};
/* clang-format off */
#define LINK_SUMS_OF                                                           \
    {"room", COUNT, "messages that they hold; 0: it is not limited"},          \
    {"messages", COUNT, "that were taken"},                                    \
    {"full", COUNT, "cycles without room"},                                    \
    {"occupied", COUNT, "messages that took room, summed over cycles"},              \
    {"waited", COUNT, "with --stalls: not taken yet, summed over cycles",      \
     .optional = true}
/* clang-format on */
static const struct rule link_ends[] = {{"from", TEXT, "unit and port"},
                                        {"to", TEXT, "unit and port"},
                                        {"latency", COUNT, "cycles"},
                                        LINK_SUMS_OF,
                                        {0}};
static const struct rule link_group[] = {
    {"from", TEXT, "group and port"},
    {"to", TEXT, "group and port"},
    {"links", COUNT, "how many lead from the one to the other"},
    LINK_SUMS_OF,
    {0}};
static const struct rule region[] = {
    {"cycles", COUNT, "of all regions"},
    {"regions", LIST, "each of them", range},
    {"groups", EACH, "within all of them together, by name", group},
    {"units", LIST, "likewise", unit, .optional = true},
    {"link_groups", LIST, "likewise, with --link-stats", link_group,
     .optional = true},
    {"verdict", OBJECT, "likewise", verdict, .optional = true},
    {0}};
static const struct rule window[] = {
    {"begin", COUNT, "its first cycle"},
    {"end", COUNT, "the cycle behind its last"},
    {"of", TEXT, "a region or a kernel, as --stats-range names it",
     .optional = true},
    {"groups", EACH, "within it, by name", group},
    {"units", LIST, "likewise", unit},
    {"link_groups", LIST, "likewise, with --link-stats", link_group,
     .optional = true},
    {"verdict", OBJECT, "likewise", verdict, .optional = true},
    {0}};
static const struct rule kernel[] = {
    {"name", TEXT, "of its function, if it is known", .optional = true},
    {"begin", COUNT, "cycle in which it was launched"},
    {"end", COUNT, "cycle in which all harts were parked again"},
    {0}};
static const struct rule wiring[] = {
    {"from", TEXT, "group and port"},
    {"to", TEXT, "group and port"},
    {"links", COUNT, "how many lead from the one to the other"},
    {"room", COUNT, "messages that they hold; 0: it is not limited",
     .optional = true},
    {"latency", COUNT, "cycles, of the slowest", .optional = true},
    {0}};
static const struct rule parameter[] = {
    {"value", REAL, "a number; of other choices its place"},
    {"least", REAL, "that it can have"},
    {"greatest", REAL, "likewise"},
    {0}};
static const struct rule chip_group[] = {
    {"of_cores", BOOL, "there are more of it where there are more TMs"},
    {"ends", BOOL, "it is what memory ends at"},
    {"onward", TEXT, "the port towards memory", .optional = true},
    {"onwards", COUNT, "links of it towards memory"},
    {"caches", TERMS, "groups that its requests come through, nearest first"},
    {"end", TEXT, "the group that they end at", .optional = true},
    {"widened", TEXT, "its mapping, for twice the channels", .optional = true},
    {"links", EACH_COUNT, "at each port"},
    {"leads_to", TERMS, "groups that it has links to, by ports"},
    {"parameters", EACH, "those with numbers, by name", parameter},
    {0}};
static const struct rule stats_rules[] = {
    {"format", COUNT, "of this file"},
    {"cycles", COUNT, "of the run"},
    {"instructions", COUNT, "of all harts"},
    {"harts", COUNT, "of the chip"},
    {"harts_used", COUNT, "of --harts"},
    {"clock_mhz", COUNT, "of the chip"},
    {"simulated_ms", REAL, "cycles by the clock"},
    {"schema", EACH, "what numbers mean, by kind of unit", kind},
    {"chip", EACH, "each unit of a group, by name", chip_group,
     .optional = true},
    {"groups", EACH, "sums over all units of a group, by name", group},
    {"verdict", OBJECT, "what limits the run", verdict, .optional = true},
    {"region_of_interest", OBJECT, "cycles that the program marked", region,
     .optional = true},
    {"windows", LIST, "of --stats-range", window, .optional = true},
    {"units", LIST, "each unit; of a tile's thread processors the sum", unit},
    {"kernels", LIST, "in their order", kernel, .optional = true},
    {"kernels_left_out", COUNT, "more than are listed", .optional = true},
    {"wiring", LIST, "which groups links join", wiring, .optional = true},
    {"links", LIST, "each of them, with --link-stats", link_ends,
     .optional = true},
    {"link_groups", LIST, "sums of those, with --link-stats", link_group,
     .optional = true},
    {0}};

/* ---- profile.json ---- */

static const struct rule event[] = {{"name", TEXT, "a bucket or a counter"},
                                    {"unit", TEXT, "what it counts"},
                                    {"meaning", TEXT, "in words"},
                                    {0}};
static const struct rule function[] = {
    {"name", TEXT, "of the function"},
    {"file", TEXT, "of its source"},
    {"line", COUNT, "where it begins; 0: unknown"},
    {"within", COUNT, "its cost and that of what it called"},
    {"counts", COUNTS, "one for each event"},
    {0}};
static const struct rule line[] = {
    {"function", COUNT, "its place in functions"},
    {"file", TEXT, "of its source"},
    {"line", COUNT, "0: unknown"},
    {"place", COUNT, "its number in the order of functions and lines",
     .optional = true},
    {"before", TERMS, "lines since that one, of which nothing was executed",
     .optional = true},
    {"source", TEXT, "its text"},
    {"counts", COUNTS, "one for each event"},
    {0}};
static const struct rule profile_lanes[] = {
    {"warp", COUNT, "harts of a warp, which are its lanes"},
    {"active", TEXT, "the event of lanes that executed an instruction"},
    {"live", TEXT, "the event of lanes that its warp had, in any path"},
    {"splits", TEXT, "the event of paths that parted"},
    {"accesses", TEXT, "the event of accesses of warps to memory"},
    {"sectors", TEXT, "the event of the sectors of these"},
    {"least", TEXT, "the event of as few as would do for their bytes"},
    {"conflicts", TEXT, "the event of cycles of conflicts of banks"},
    {0}};
static const struct rule profile_rules[] = {
    {"format", COUNT, "of this file"},
    {"program", TEXT, "its path"},
    {"chip", TEXT, "what it ran on", .optional = true},
    {"events", LIST, "what is counted, in the order of counts", event},
    {"buckets", COUNT, "how many of them, the first ones, are cycles"},
    {"instructions", TEXT, "the event that counts them"},
    {"idle", TEXT, "the event of cycles with nothing to do"},
    {"hits", TEXT, "the event of loads that the first cache served"},
    {"lanes", OBJECT, "of cores whose harts issue together, in warps",
     profile_lanes, .optional = true},
    {"cost", COUNT, "cycles of harts, or of warps, that were not idle"},
    {"totals", COUNTS, "one for each event"},
    {"functions", LIST, "of the program", function},
    {"lines", LIST, "the most costly first", line},
    {"stacks", LIST, "lists of a parent's place, a function's, and a cost"},
    {0}};

/* ---- pixels.json ---- */

static const struct rule hot[] = {{"x", COUNT, "from the left"},
                                  {"y", COUNT, "from the top"},
                                  {"index", COUNT, "of the work"},
                                  {"value", COUNT, "what it cost"},
                                  {0}};
static const struct rule cost[] = {
    {"name", TEXT, "of its files, cost-NAME.pfm and .png"},
    {"unit", TEXT, "what it counts"},
    {"meaning", TEXT, "in words"},
    {"sum", COUNT, "of all pixels"},
    {"rest", COUNT, "what no pixel has caused"},
    {"most", COUNT, "of a pixel"},
    {"scale", COUNT, "the value that has the last colour"},
    {"hottest", LIST, "the most costly pixels", hot},
    {0}};
static const struct rule pixels_rules[] = {
    {"format", COUNT, "of this file"},
    {"width", COUNT, "of the image"},
    {"height", COUNT, "of the image"},
    {"costs", LIST, "a picture each", cost},
    {"colours", TERMS, "of pictures, from 0 to the scale, as #rrggbb"},
    {0}};

const struct shape_file shape_files[] = {
    [FILE_STATS] = {"stats", STATS_FORMAT, stats_rules,
                    ": this older one does not say what buckets are, and has "
                    "no histograms; run it again"},
    [FILE_PROFILE] = {"profile", PROFILE_FORMAT, profile_rules, ""},
    [FILE_PIXELS] = {"pixels", PIXELS_FORMAT, pixels_rules, ""},
    {NULL}};
