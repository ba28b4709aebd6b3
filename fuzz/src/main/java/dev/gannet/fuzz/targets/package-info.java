/**
 * The fuzz targets: each takes one input, passes it to a part of Gannet, and throws if a rule was
 * broken.
 *
 * <p>A target is deterministic: it uses no clock and no thread, and takes random choices only from
 * the input's bytes. It needs no fuzzer to run, so every build replays earlier findings. The fuzzer
 * itself must not be imported here.
 */
@NullMarked
package dev.gannet.fuzz.targets;

import org.jspecify.annotations.NullMarked;
