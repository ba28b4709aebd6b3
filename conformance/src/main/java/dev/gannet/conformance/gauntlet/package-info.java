/**
 * Attacks on a server while honest clients call it: what it costs them, and what it costs the
 * server.
 *
 * <p>The runner, its bars and its tables live here. Server, honest clients and attackers are three
 * processes, and a decoy that is attacked for comparison is a fourth; what attackers send lives in
 * {@code attack}.
 */
@NullMarked
package dev.gannet.conformance.gauntlet;

import org.jspecify.annotations.NullMarked;
