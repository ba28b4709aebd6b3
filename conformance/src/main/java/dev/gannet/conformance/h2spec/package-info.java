/**
 * Runs h2spec, the conformance suite for HTTP/2 and HPACK, against Gannet's server.
 *
 * <p>This package finds and runs the tool, reads its report, and lists the cases in which RFC 9113
 * overrules it. A server does not belong here; it tests the server of the interop tests.
 */
@NullMarked
package dev.gannet.conformance.h2spec;

import org.jspecify.annotations.NullMarked;
