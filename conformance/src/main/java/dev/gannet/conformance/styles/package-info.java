/**
 * Asynchronous clients and clients with observers, as a caller uses them that waits: with the
 * signatures of blocking clients, so that one test can be run in every style.
 *
 * <p>What does not belong here: services, and what a test demands.
 */
@NullMarked
package dev.gannet.conformance.styles;

import org.jspecify.annotations.NullMarked;
