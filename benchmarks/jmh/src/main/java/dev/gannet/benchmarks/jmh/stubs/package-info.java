/**
 * What generated code weighs and how long it takes to start: our plug-in's beside grpc-java's, from
 * one {@code .proto} file.
 */
@NullMarked
package dev.gannet.benchmarks.jmh.stubs;

import org.jspecify.annotations.NullMarked;
