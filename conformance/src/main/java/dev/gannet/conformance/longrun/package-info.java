/**
 * Long-running tests: commands that put complete clients and servers under load for minutes while
 * servers restart, are overloaded or die, or the network between them fails, and that check rules
 * that must hold all the time.
 *
 * <p>They are in this module and not in {@code benchmarks}, because their result is whether rules
 * hold, also with clients of other implementations, and not what a call costs. They need this
 * module's service, certificates and child processes. Comparisons, and rules that a test can check
 * within seconds, do not belong here.
 */
@NullMarked
package dev.gannet.conformance.longrun;

import org.jspecify.annotations.NullMarked;
