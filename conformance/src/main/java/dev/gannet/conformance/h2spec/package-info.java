/**
 * h2spec, the conformance suite for HTTP/2 and HPACK, played against our server.
 *
 * <p>Lives here: how the tool is found and run, how its report is read, and the cases in which RFC
 * 9113 overrules it. Must not live here: a server of its own; it tests the one of the interop
 * tests.
 */
@NullMarked
package dev.gannet.conformance.h2spec;

import org.jspecify.annotations.NullMarked;
