package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;

/** Signs of life (RFC 9113 §6.7). */
final class PingTest {
  @ServerScript
  void aPingIsAnsweredWithTheSameOctets(ScriptedPeer peer) {
    peer.connects();
    peer.sends(ping(0), ping(-1), ping(0x0123_4567_89ab_cdefL));
    peer.receives(pingAck(0), pingAck(-1), pingAck(0x0123_4567_89ab_cdefL));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void aPingAcknowledgementIsReportedAndNotAnswered(ScriptedPeer peer) {
    peer.connects();
    peer.connection().ping(-77);
    peer.receives(ping(-77));
    peer.sends(pingAck(-77));
    peer.connectionTells(new Told.PingAck(-77));
    peer.receivesNothingElse();
  }

  @ServerScript
  void otherFlagsOfAPingAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(ping(8).flagged(0xfe));
    peer.receives(pingAck(8));
  }

  @ClientScript
  void aClientAnswersToo(ScriptedPeer peer) {
    peer.connects();
    peer.sends(ping(8));
    peer.receives(pingAck(8));
  }
}
