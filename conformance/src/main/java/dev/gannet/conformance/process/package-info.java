/**
 * Programs that a command starts in processes of their own, and ends again. What they do is
 * elsewhere.
 */
@NullMarked
package dev.gannet.conformance.process;

import org.jspecify.annotations.NullMarked;
