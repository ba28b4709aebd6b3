/**
 * Storms: many random calls between complete clients and servers over an unreliable simulated
 * network, with invariants that must hold whatever happens. One seed is one storm, always the same.
 *
 * <p>Code here may use random numbers only from the seed, and time only from the loop's clock.
 */
@NullMarked
package dev.gannet.suites.storm;

import org.jspecify.annotations.NullMarked;
