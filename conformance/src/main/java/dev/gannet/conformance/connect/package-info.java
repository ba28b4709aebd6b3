/**
 * The server and the client that the connectrpc conformance suite drives, as its {@code
 * connectconformance} wants them.
 *
 * <p>The suite speaks to these programs over their standard input and output, and to their gRPC
 * side as a peer. Generated blocking stubs make and serve the calls wherever they can say what a
 * case demands, the call API below them where not. What does not belong here: anything that helps
 * the engines pass.
 */
@NullMarked
package dev.gannet.conformance.connect;

import org.jspecify.annotations.NullMarked;
