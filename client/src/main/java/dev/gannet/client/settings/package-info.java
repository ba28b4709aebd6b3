/**
 * The settings of a channel as its engine reads them: what a builder has collected, checked, by
 * subject. Immutable.
 *
 * <p>What does not belong here: what users see of them, which is the builder's.
 */
@NullMarked
package dev.gannet.client.settings;

import org.jspecify.annotations.NullMarked;
