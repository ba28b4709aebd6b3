/** The command that runs many simulations. The simulation itself is in the module suites. */
@NullMarked
package dev.gannet.conformance.simulation;

import org.jspecify.annotations.NullMarked;
