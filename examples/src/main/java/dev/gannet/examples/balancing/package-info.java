/** One channel to several servers, with each call to the next server. */
@NullMarked
package dev.gannet.examples.balancing;

import org.jspecify.annotations.NullMarked;
