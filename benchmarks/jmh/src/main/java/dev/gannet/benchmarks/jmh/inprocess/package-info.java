/** Calls within one process: Gannet's in-process transport beside grpc-java's. */
@NullMarked
package dev.gannet.benchmarks.jmh.inprocess;

import org.jspecify.annotations.NullMarked;
