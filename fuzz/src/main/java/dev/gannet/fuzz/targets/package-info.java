/**
 * The fuzz targets: each takes one input, plays it to a piece of Gannet, and throws if a rule was
 * broken.
 *
 * <p>A target is deterministic: no clock, no thread, and no chance but that of the input's own
 * bytes. It needs no fuzzer to run, so that every build replays what was found once. The fuzzer
 * itself must not be imported here.
 */
@NullMarked
package dev.gannet.fuzz.targets;

import org.jspecify.annotations.NullMarked;
