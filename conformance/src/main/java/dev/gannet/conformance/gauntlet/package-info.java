/**
 * Attacks on a server while honest clients call it: measures what they cost the clients and the
 * server.
 *
 * <p>This package contains the runner, its limits for passing, and its tables. Server, honest
 * clients and attackers are three processes; a decoy server that is attacked for comparison is a
 * fourth. What attackers send is in {@code attack}.
 */
@NullMarked
package dev.gannet.conformance.gauntlet;

import org.jspecify.annotations.NullMarked;
