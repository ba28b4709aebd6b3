/**
 * The server and the client that the connectrpc conformance suite drives, as its runner {@code
 * connectconformance} requires them.
 *
 * <p>The suite controls these programs over their standard input and output, and is a gRPC peer of
 * them. Generated blocking stubs make and serve the calls where they can express what a case
 * demands; elsewhere the call API does. Code that helps the engines to pass does not belong here.
 */
@NullMarked
package dev.gannet.conformance.connect;

import org.jspecify.annotations.NullMarked;
