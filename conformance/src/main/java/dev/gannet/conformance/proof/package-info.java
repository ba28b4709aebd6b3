/**
 * Long proofs: commands that put whole clients and servers under load for minutes while servers
 * restart, are overloaded, die, or the network between them fails, and that check rules which must
 * hold all the time.
 *
 * <p>They are in this module and not in {@code benchmarks}, because what they end with is whether
 * rules hold, also with the clients of other implementations, and not what a call costs. They need
 * this module's service, certificates and child processes. What does not belong here: comparisons,
 * and rules that a test can check within seconds.
 */
@NullMarked
package dev.gannet.conformance.proof;

import org.jspecify.annotations.NullMarked;
