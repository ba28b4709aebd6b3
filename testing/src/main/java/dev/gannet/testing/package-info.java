/**
 * Support for tests of clients and services: servers and channels for each test, a scripted server,
 * recorders of streams, a virtual clock, a network with faults.
 *
 * <p>{@code Testbed} needs no test framework; {@code GannetExtension} integrates it with JUnit, and
 * is the only class here that needs JUnit. Nothing here may print.
 */
@NullMarked
package dev.gannet.testing;

import org.jspecify.annotations.NullMarked;
