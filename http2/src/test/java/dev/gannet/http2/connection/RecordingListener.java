package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps what a connection tells. Pieces of DATA that follow each other count as one. */
final class RecordingListener implements ConnectionListener {
  private static final int NO_STREAM = 0;

  final Map<Integer, Http2Stream> streams = new TreeMap<>();
  boolean failed;
  Runnable onEachData = () -> {};
  private final List<Told> told = new ArrayList<>();
  private final StringBuilder content = new StringBuilder();
  private int contentOf = NO_STREAM;

  /** What was told since the last time it was cleared. */
  List<Told> told() {
    closeContent();
    return told;
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    streams.put(stream.id(), stream);
    add(new Told.Headers(stream.id(), headers, end));
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {
    streams.put(stream.id(), stream);
    add(new Told.OversizedHeaders(stream.id(), end));
  }

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    onEachData.run();
    if (!bytes.hasRemaining()) {
      return;
    }
    if (contentOf != stream.id()) {
      add(new Told.Data(stream.id(), ""));
      contentOf = stream.id();
    }
    content.append(StandardCharsets.ISO_8859_1.decode(bytes.duplicate()));
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    add(new Told.EndOfStream(stream.id()));
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    add(new Told.Reset(stream.id(), code));
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    assertThat(violation.streamId()).isEqualTo(stream.id());
    assertThat(violation.detail()).isNotBlank();
    add(new Told.Broken(stream.id(), violation.code()));
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {
    add(new Told.Unprocessed(stream.id()));
  }

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    add(new Told.DataSent(stream.id(), bytes));
  }

  @Override
  public void onEndSent(Http2Stream stream) {
    add(new Told.EndSent(stream.id()));
  }

  @Override
  public void onSettings() {
    add(new Told.Settings());
  }

  @Override
  public void onPingAck(long opaque) {
    add(new Told.PingAck(opaque));
  }

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    add(new Told.GoAway(lastStreamId, code, debug));
  }

  @Override
  public void onFailed(Violation violation) {
    failed = true;
    add(new Told.Failed(violation.code()));
  }

  private void add(Told event) {
    closeContent();
    told.add(event);
  }

  private void closeContent() {
    if (contentOf != NO_STREAM) {
      told.set(told.size() - 1, new Told.Data(contentOf, content.toString()));
      content.setLength(0);
      contentOf = NO_STREAM;
    }
  }
}
