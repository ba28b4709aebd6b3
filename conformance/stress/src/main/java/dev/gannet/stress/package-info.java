/**
 * jcstress tests that need only the public API. Tests of classes that are not public are in the
 * packages of those classes. No other kind of test belongs here.
 */
@NullMarked
package dev.gannet.stress;

import org.jspecify.annotations.NullMarked;
