/* The version that --version and manifests name. */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

#define CORBEL_VERSION "0.1.0"

#endif
