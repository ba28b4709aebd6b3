/**
 * The server and the client of gRPC's interop tests, as its interop-test-descriptions want them.
 *
 * <p>Cases stand in small tables of functions, each over a channel. What does not belong here:
 * anything that helps the engines pass; these programs use what every user has.
 */
@NullMarked
package dev.gannet.conformance.interop;

import org.jspecify.annotations.NullMarked;
