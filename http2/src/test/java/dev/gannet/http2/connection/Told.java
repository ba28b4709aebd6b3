package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.hpack.HeaderList;

/** One event of a connection, kept to be compared. */
sealed interface Told {
  record Headers(int streamId, HeaderList list, EndStream end) implements Told {}

  record OversizedHeaders(int streamId, EndStream end) implements Told {}

  record Data(int streamId, String content) implements Told {}

  record EndOfStream(int streamId) implements Told {}

  record Reset(int streamId, ErrorCode code) implements Told {}

  record Broken(int streamId, ErrorCode code) implements Told {}

  record Unprocessed(int streamId) implements Told {}

  record DataSent(int streamId, int bytes) implements Told {}

  record EndSent(int streamId) implements Told {}

  record Settings() implements Told {}

  record PingAck(long opaque) implements Told {}

  record GoAway(int lastStreamId, ErrorCode code, String debug) implements Told {}

  record Failed(ErrorCode code) implements Told {}

  static Told request(int streamId, EndStream end) {
    return new Headers(streamId, Fields.REQUEST, end);
  }

  static Told response(int streamId, EndStream end) {
    return new Headers(streamId, Fields.RESPONSE, end);
  }

  static Told trailers(int streamId) {
    return new Headers(streamId, Fields.TRAILERS, EndStream.YES);
  }
}
