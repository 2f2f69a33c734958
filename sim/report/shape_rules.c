/* The shapes of the JSON files of a run: each member once. */
#include "sim/report/shape_rules.h"

static const struct rule row_rules[] = {{"unit", TEXT}, {"meaning", TEXT}, {0}};
static const struct rule bucket_rules[] = {{"unit", TEXT},
                                           {"meaning", TEXT},
                                           {"role", TEXT},
                                           {"target", TEXT, OPTIONAL},
                                           {0}};
static const struct rule figure_rules[] = {
    {"unit", TEXT, OPTIONAL},       {"part", BOOL, OPTIONAL},
    {"over", TERMS, OPTIONAL},      {"under", TERMS, OPTIONAL},
    {"per_mille", COUNT, OPTIONAL},

    {"of", TEXT, OPTIONAL},         {0}};
static const struct rule histogram_row_rules[] = {
    {"unit", TEXT}, {"of", TEXT}, {"meaning", TEXT}, {"edges", COUNTS}, {0}};
static const struct rule histogram_rules[] = {
    {"edges", COUNTS}, {"counts", COUNTS}, {0}};
static const struct rule kind_rules[] = {
    {"meaning", TEXT},
    {"counters", EACH, NEEDED, row_rules},
    {"buckets", EACH, NEEDED, bucket_rules},
    {"histograms", EACH, OPTIONAL, histogram_row_rules},
    {"figures", EACH, NEEDED, figure_rules},
    {0}};
static const struct rule served_rules[] = {
    {"requests", COUNT}, {"cycles", COUNT}, {"legs", EACH_COUNT}, {0}};
static const struct rule waits_rules[] = {
    {"counter", TEXT}, {"cycles", COUNT}, {"legs", EACH_REAL}, {0}};
static const struct rule trip_rules[] = {
    {"meaning", TEXT},
    {"requests", COUNT},
    {"cycles", COUNT},
    {"legs", EACH_COUNT},
    {"called", EACH_TEXT, OPTIONAL},
    {"waits", OBJECT, OPTIONAL, waits_rules},
    {"served", EACH, NEEDED, served_rules},
    {0}};
static const struct rule group_rules[] = {
    {"kind", TEXT},
    {"units", COUNT},
    {"accounts", COUNT},
    {"counters", EACH_COUNT},
    {"buckets", EACH_COUNT},
    {"histograms", EACH, OPTIONAL, histogram_rules},
    {"derived", EACH_REAL, OPTIONAL},
    {"trips", EACH, OPTIONAL, trip_rules},
    {0}};
static const struct rule unit_rules[] = {
    {"name", TEXT},
    {"kind", TEXT},
    {"group", TEXT},
    {"tile", TEXT},
    {"units", COUNT},
    {"accounts", COUNT},
    {"counters", EACH_COUNT},
    {"buckets", EACH_COUNT},
    {"histograms", EACH, OPTIONAL, histogram_rules},
    {0}};
static const struct rule range_rules[] = {
    {"begin", COUNT}, {"end", COUNT}, {0}};
static const struct rule part_rules[] = {{"group", TEXT},
                                         {"request", TEXT, OPTIONAL},
                                         {"name", TEXT},
                                         {"share", REAL},
                                         {0}};
static const struct rule limit_links_rules[] = {
    {"from", TEXT}, {"to", TEXT}, {0}};
static const struct rule limit_rules[] = {
    {"group", TEXT},
    {"name", TEXT},
    {"param", TEXT, OPTIONAL},
    {"value", REAL, OPTIONAL},
    {"used", REAL, OPTIONAL},
    {"waiting", REAL, OPTIONAL},
    {"load", REAL, OPTIONAL},
    {"full", REAL, OPTIONAL},
    {"links", OBJECT, OPTIONAL, limit_links_rules},
    {0}};
static const struct rule prediction_rules[] = {
    {"change", TEXT}, {"speedup", REAL}, {0}};
static const struct rule work_rules[] = {{"work", TEXT},     {"done", REAL},
                                         {"per_byte", REAL}, {"peak", REAL},
                                         {"roof", REAL},     {0}};
static const struct rule roofline_rules[] = {
    {"memory", REAL}, {"works", LIST, NEEDED, work_rules}, {0}};
static const struct rule verdict_rules[] = {
    {"text", TERMS},
    {"parts", LIST, NEEDED, part_rules},
    {"limits", LIST, NEEDED, limit_rules},
    {"predictions", LIST, OPTIONAL, prediction_rules},
    {"roofline", OBJECT, NEEDED, roofline_rules},
    {0}};
static const struct rule region_rules[] = {
    {"regions", LIST, NEEDED, range_rules},
    {"groups", EACH, NEEDED, group_rules},
    {"units", LIST, OPTIONAL, unit_rules},
    {"verdict", OBJECT, OPTIONAL, verdict_rules},
    {0}};
static const struct rule window_rules[] = {
    {"begin", COUNT},
    {"end", COUNT},
    {"of", TEXT, OPTIONAL},
    {"groups", EACH, NEEDED, group_rules},
    {"units", LIST, NEEDED, unit_rules},
    {"verdict", OBJECT, OPTIONAL, verdict_rules},
    {0}};
static const struct rule kernel_rules[] = {
    {"name", TEXT, OPTIONAL}, {"begin", COUNT}, {"end", COUNT}, {0}};
static const struct rule wiring_rules[] = {
    {"from", TEXT}, {"to", TEXT}, {"links", COUNT}, {0}};
static const struct rule link_group_rules[] = {
    {"from", TEXT}, {"to", TEXT}, {"links", COUNT}, {"full", COUNT}, {0}};
const struct rule stats_rules[] = {
    {"cycles", COUNT},
    {"instructions", COUNT},
    {"harts", COUNT},
    {"harts_used", COUNT},
    {"clock_mhz", COUNT},
    {"simulated_ms", REAL},
    {"schema", EACH, NEEDED, kind_rules},
    {"groups", EACH, NEEDED, group_rules},
    {"verdict", OBJECT, OPTIONAL, verdict_rules},
    {"region_of_interest", OBJECT, OPTIONAL, region_rules},
    {"windows", LIST, OPTIONAL, window_rules},
    {"units", LIST, NEEDED, unit_rules},
    {"kernels", LIST, OPTIONAL, kernel_rules},
    {"kernels_left_out", COUNT, OPTIONAL},
    {"wiring", LIST, OPTIONAL, wiring_rules},
    {"link_groups", LIST, OPTIONAL, link_group_rules},
    {0}};

static const struct rule event_rules[] = {
    {"name", TEXT}, {"unit", TEXT}, {"meaning", TEXT}, {0}};
static const struct rule function_rules[] = {
    {"name", TEXT},    {"file", TEXT},     {"line", COUNT},
    {"within", COUNT}, {"counts", COUNTS}, {0}};
static const struct rule line_rules[] = {{"function", COUNT}, {"file", TEXT},
                                         {"line", COUNT},     {"source", TEXT},
                                         {"counts", COUNTS},  {0}};
const struct rule profile_rules[] = {
    {"program", TEXT},
    {"events", LIST, NEEDED, event_rules},
    {"buckets", COUNT},
    {"instructions", TEXT},
    {"idle", TEXT},
    {"hits", TEXT},
    {"cost", COUNT},
    {"totals", COUNTS},
    {"functions", LIST, NEEDED, function_rules},
    {"lines", LIST, NEEDED, line_rules},
    {"stacks", LIST},
    {0}};

static const struct rule hot_rules[] = {
    {"x", COUNT}, {"y", COUNT}, {"value", COUNT}, {0}};
static const struct rule cost_rules[] = {{"name", TEXT},
                                         {"unit", TEXT},
                                         {"meaning", TEXT},
                                         {"sum", COUNT},
                                         {"rest", COUNT},
                                         {"most", COUNT},
                                         {"scale", COUNT},
                                         {"hottest", LIST, NEEDED, hot_rules},
                                         {0}};
const struct rule pixels_rules[] = {{"width", COUNT},
                                    {"height", COUNT},
                                    {"costs", LIST, NEEDED, cost_rules},
                                    {"colours", TERMS},
                                    {0}};
