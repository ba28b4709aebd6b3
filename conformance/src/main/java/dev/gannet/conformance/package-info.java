/**
 * Servers and clients that external suites talk to.
 *
 * <p>A leaf: no other room imports it. Its tests also hold the architecture test, for it sees every
 * room.
 */
@NullMarked
package dev.gannet.conformance;

import org.jspecify.annotations.NullMarked;
