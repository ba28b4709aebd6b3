package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.memory.SpareArrays;
import dev.gannet.transport.settings.CallBounds;
import java.nio.ByteBuffer;

/**
 * The messages that one call sends: framed on their sender's thread, and counted from then on until
 * they are written. A call is ready while its {@link CallQueue} allows more.
 *
 * @param <O> the message
 */
final class OutgoingMessages<O> {
  private final Marshaller<O> marshaller;
  private final Http2Connection connection;
  private final CallQueue queue;

  OutgoingMessages(Marshaller<O> marshaller, SendQuota quota, Http2Connection connection) {
    this.marshaller = marshaller;
    this.connection = connection;
    this.queue = new CallQueue(quota);
  }

  boolean isReady() {
    return queue.isReady();
  }

  /** Frames a request for the wire and counts it as queued. On the sender's thread. */
  ByteBuffer frame(O message, MessageEncoding encoding, CallMessages limits) {
    int maxMessageBytes = limits.maxOutboundBytes();
    ByteBuffer frame;
    try {
      frame = MessageFrame.frame(upTo(maxMessageBytes), message, SpareArrays.SHARED);
    } catch (BoundedMarshaller.MessageTooLongException e) {
      throw limits.outboundLimit().exceededBy(e.bytes(), maxMessageBytes).asException();
    } catch (
        Exception e) { // catches checked exceptions too: not all marshallers are written in Java
      throw unwritable("request", e);
    }
    ByteBuffer encoded = MessageFrame.compressed(frame, encoding);
    add(encoded);
    return encoded;
  }

  /** The same for a response, in the format of its request's protocol. */
  ByteBuffer frame(
      O message, MessageEncoding encoding, RequestProtocol protocol, int maxMessageBytes) {
    ByteBuffer frame;
    try {
      frame = protocol.frame(upTo(maxMessageBytes), message, encoding, SpareArrays.SHARED);
    } catch (BoundedMarshaller.MessageTooLongException e) {
      throw MessageSizeLimit.OF_SENT_RESPONSES.exceededBy(e.bytes(), maxMessageBytes).asException();
    } catch (StatusException e) { // of the compressor, or the marshaller's own
      throw e;
    } catch (Exception e) { // as above
      throw unwritable("response", e);
    }
    add(frame);
    return frame;
  }

  private Marshaller<O> upTo(int maxMessageBytes) {
    return maxMessageBytes == CallBounds.ANY_LENGTH
        ? marshaller
        : new BoundedMarshaller<>(marshaller, maxMessageBytes);
  }

  private static StatusException unwritable(String message, Exception cause) {
    return Status.INTERNAL
        .withDescription("the marshaller cannot serialize the " + message + " message")
        .withCause(cause)
        .asException();
  }

  /** Counts a message that was already framed as queued. On the sender's thread. */
  void add(ByteBuffer frame) {
    queue.add(frame.remaining());
  }

  /** No stream is free: what is queued here waits for one. */
  void awaitStream() {
    queue.awaitStream();
  }

  /** The stream that was waited for exists. */
  void onStream() {
    queue.onStream();
  }

  /** Bytes were written; true if this makes the call ready again. */
  boolean onSent(int bytes) {
    return queue.remove(bytes);
  }

  /** Bytes were written, and no more messages will be added. */
  void onLastSent(int bytes) {
    queue.removeOfLast(bytes);
  }

  /** The bytes queued here that the window of the call's stream blocks. */
  long standingBytes(Http2Stream stream) {
    return queue.updateWindow(stream.sendWindowBytes(), connection.peerInitialWindowBytes());
  }

  /** Something has changed for calls that wait to send; true if this makes the call ready again. */
  boolean reconsider() {
    return queue.reconsider();
  }

  /** Whether so much is queued that a sender that asks first would not send. Any thread. */
  boolean isFull() {
    return queue.isFull();
  }

  /** Nothing more is sent, and what was queued has been sent or never will be. */
  void stop() {
    queue.close();
  }
}
