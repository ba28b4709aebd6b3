/**
 * What the modules of Gannet share below the users' API: hooks into its objects, and how threads
 * wait. Exported to those modules alone; it may change with any release.
 */
@NullMarked
package dev.gannet.api.engine;

import org.jspecify.annotations.NullMarked;
