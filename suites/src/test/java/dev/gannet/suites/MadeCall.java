package dev.gannet.suites;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import java.util.List;

/** A call in the hand of a test that plays its client. */
final class MadeCall {
  private final ClientCall<String, String> call;
  private final RecordingClientListener<String> listener = new RecordingClientListener<>();

  private MadeCall(ClientCall<String, String> call) {
    this.call = call;
  }

  static MadeCall start(Channel channel, MethodDescriptor<String, String> method) {
    return start(channel, method, CallOptions.DEFAULT);
  }

  static MadeCall start(
      Channel channel, MethodDescriptor<String, String> method, CallOptions options) {
    return start(channel, method, options, new Metadata());
  }

  static MadeCall start(
      Channel channel,
      MethodDescriptor<String, String> method,
      CallOptions options,
      Metadata headers) {
    MadeCall made = new MadeCall(channel.newCall(method, options));
    made.call.start(made.listener, headers);
    return made;
  }

  /** A whole request, with all answers asked for. */
  static MadeCall whole(
      Channel channel, MethodDescriptor<String, String> method, String... messages) {
    return whole(channel, method, CallOptions.DEFAULT, messages);
  }

  /** As above, with options. */
  static MadeCall whole(
      Channel channel,
      MethodDescriptor<String, String> method,
      CallOptions options,
      String... messages) {
    return start(channel, method, options).wants(1_000_000).says(messages).halfCloses();
  }

  MadeCall wants(int messages) {
    call.request(messages);
    return this;
  }

  MadeCall says(String... messages) {
    for (String message : messages) {
      call.sendMessage(message);
    }
    return this;
  }

  MadeCall halfCloses() {
    call.halfClose();
    return this;
  }

  ClientCall<String, String> call() {
    return call;
  }

  RecordingClientListener<String> heard() {
    return listener;
  }

  List<String> messages() {
    return listener.messages();
  }

  boolean isClosed() {
    return listener.isClosed();
  }

  Status status() {
    return listener.status();
  }

  Status.Code code() {
    return listener.status().code();
  }

  /** The words of its status, or none. */
  String words() {
    return listener.status().description().orElse("");
  }
}
