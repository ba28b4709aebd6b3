/**
 * Frames as bytes (RFC 9113 §4 and §6): splitting what arrives into frames, and writing frames.
 *
 * <p>The effect of a frame on a stream or connection is implemented elsewhere.
 */
@NullMarked
package dev.gannet.http2.frame;

import org.jspecify.annotations.NullMarked;
