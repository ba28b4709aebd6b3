/** The command that plays storms by the million. What a storm is belongs to the room suites. */
@NullMarked
package dev.gannet.conformance.simulation;

import org.jspecify.annotations.NullMarked;
