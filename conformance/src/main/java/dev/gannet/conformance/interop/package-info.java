/**
 * The server and the client of gRPC's interop tests, as its interop-test-descriptions specify them.
 *
 * <p>Cases are in small tables of functions that take a channel. Code that helps the engines to
 * pass does not belong here; these programs use only what every user has.
 */
@NullMarked
package dev.gannet.conformance.interop;

import org.jspecify.annotations.NullMarked;
