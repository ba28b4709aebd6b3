/**
 * Frames as bytes (RFC 9113 §4 and §6): cutting what arrives into frames, and writing frames.
 *
 * <p>What a frame means to a stream or to the connection is not known here.
 */
@NullMarked
package dev.gannet.http2.frame;

import org.jspecify.annotations.NullMarked;
