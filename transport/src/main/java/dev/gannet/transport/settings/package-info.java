/**
 * The settings of connections and calls, as immutable values.
 *
 * <p>Engines fill in {@code TransportSettings} from what users chose; a transport derives from it
 * what applies to it. Values are checked when they are set, and nothing here acts on them.
 */
@NullMarked
package dev.gannet.transport.settings;

import org.jspecify.annotations.NullMarked;
