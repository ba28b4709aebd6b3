package dev.gannet.services;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.services.binarylog.v1.Address;
import dev.gannet.services.binarylog.v1.ClientHeader;
import dev.gannet.services.binarylog.v1.GrpcLogEntry;
import dev.gannet.services.binarylog.v1.GrpcLogEntry.EventType;
import dev.gannet.services.binarylog.v1.Message;
import dev.gannet.services.binarylog.v1.ServerHeader;
import dev.gannet.services.binarylog.v1.Trailer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the entries of one call. For the threads of that call. */
final class BinaryLogCall {
  private static final Metadata.Key<byte[]> STATUS_DETAILS =
      Metadata.Key.binary("grpc-status-details-bin");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final BinaryLog log;
  private final GrpcLogEntry.Logger side;
  private final BinaryLogRules.Extent extent;
  private final long id;
  private final AtomicLong sequence = new AtomicLong();

  BinaryLogCall(BinaryLog log, GrpcLogEntry.Logger side, BinaryLogRules.Extent extent, long id) {
    this.log = log;
    this.side = side;
    this.extent = extent;
    this.id = id;
  }

  private GrpcLogEntry.Builder entry(EventType type) {
    Instant now = Instant.now();
    return GrpcLogEntry.newBuilder()
        .setTimestamp(
            Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()))
        .setCallId(id)
        .setSequenceIdWithinCall(sequence.incrementAndGet())
        .setType(type)
        .setLogger(side);
  }

  /**
   * The call begins.
   *
   * @param peer the client, on a server
   */
  void clientHeader(
      MethodDescriptor<?, ?> method,
      String authority,
      Optional<Deadline> deadline,
      Metadata headers,
      Optional<SocketAddress> peer) {
    BinaryLogFields fields = BinaryLogFields.of(headers, extent.headerBytes());
    ClientHeader.Builder header =
        ClientHeader.newBuilder()
            .setMethodName("/" + method.fullMethodName())
            .setAuthority(authority)
            .setMetadata(fields.kept());
    deadline.ifPresent(it -> header.setTimeout(duration(Math.max(0, it.remainingNanos()))));
    write(
        entry(EventType.EVENT_TYPE_CLIENT_HEADER)
            .setClientHeader(header)
            .setPayloadTruncated(fields.truncated()),
        peer);
  }

  private static Duration duration(long nanos) {
    return Duration.newBuilder()
        .setSeconds(nanos / NANOS_PER_SECOND)
        .setNanos((int) (nanos % NANOS_PER_SECOND))
        .build();
  }

  /**
   * The response's headers.
   *
   * @param peer the server, on a client
   */
  void serverHeader(Metadata headers, Optional<SocketAddress> peer) {
    BinaryLogFields fields = BinaryLogFields.of(headers, extent.headerBytes());
    write(
        entry(EventType.EVENT_TYPE_SERVER_HEADER)
            .setServerHeader(ServerHeader.newBuilder().setMetadata(fields.kept()))
            .setPayloadTruncated(fields.truncated()),
        peer);
  }

  /**
   * A message; a message that cannot be marshalled is not logged, and ends the call soon
   * afterwards.
   */
  <T> void message(EventType type, Marshaller<T> marshaller, T message) {
    ByteBuffer bytes;
    try {
      bytes = bytes(marshaller, message);
    } catch (RuntimeException e) {
      log.onFailure(e);
      return;
    }
    int length = bytes.remaining();
    int kept = Math.min(length, extent.messageBytes());
    write(
        entry(type)
            .setMessage(
                Message.newBuilder()
                    .setLength(length)
                    .setData(ByteString.copyFrom(bytes.limit(kept))))
            .setPayloadTruncated(kept < length),
        Optional.empty());
  }

  private static <T> ByteBuffer bytes(Marshaller<T> marshaller, T message) {
    ByteBuffer[] bytes = {NOTHING};
    marshaller.write(message, sizeBytes -> bytes[0] = ByteBuffer.allocate(sizeBytes));
    return bytes[0].duplicate().clear();
  }

  void halfClose() {
    write(entry(EventType.EVENT_TYPE_CLIENT_HALF_CLOSE), Optional.empty());
  }

  void cancel() {
    write(entry(EventType.EVENT_TYPE_CANCEL), Optional.empty());
  }

  /**
   * The call's status.
   *
   * @param peer the server, on a client that has not logged it before
   */
  void trailer(Status status, Metadata trailers, Optional<SocketAddress> peer) {
    BinaryLogFields fields = BinaryLogFields.of(trailers, extent.headerBytes());
    Trailer.Builder trailer =
        Trailer.newBuilder()
            .setStatusCode(status.code().value())
            .setStatusMessage(status.description().orElse(""))
            .setMetadata(fields.kept());
    trailers
        .get(STATUS_DETAILS)
        .ifPresent(details -> trailer.setStatusDetails(ByteString.copyFrom(details)));
    write(
        entry(EventType.EVENT_TYPE_SERVER_TRAILER)
            .setTrailer(trailer)
            .setPayloadTruncated(fields.truncated()),
        peer);
  }

  private void write(GrpcLogEntry.Builder entry, Optional<SocketAddress> peer) {
    peer.ifPresent(it -> entry.setPeer(address(it)));
    log.write(entry.build());
  }

  private static Address address(SocketAddress address) {
    Address.Builder encoded = Address.newBuilder();
    return switch (address) {
      case InetSocketAddress inet when inet.getAddress() != null ->
          encoded
              .setType(
                  inet.getAddress() instanceof Inet6Address
                      ? Address.Type.TYPE_IPV6
                      : Address.Type.TYPE_IPV4)
              .setAddress(withoutScope(inet.getAddress()))
              .setIpPort(inet.getPort())
              .build();
      case UnixDomainSocketAddress unix ->
          encoded.setType(Address.Type.TYPE_UNIX).setAddress(unix.getPath().toString()).build();
      default -> encoded.setAddress(address.toString()).build();
    };
  }

  private static String withoutScope(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
