/**
 * What users need to test clients and services: servers and channels for each test, a server that
 * answers by a script, recorders of streams, a virtual clock, a network with faults.
 *
 * <p>{@code Testbed} needs no test framework; {@code GannetExtension} brings it into JUnit, and is
 * the only class here that needs JUnit. Nothing here may print.
 */
@NullMarked
package dev.gannet.testing;

import org.jspecify.annotations.NullMarked;
