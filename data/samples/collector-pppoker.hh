{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000000-1": [
            {
                "inFantasy": false,
                "result": -1,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "2h1 2c2 7d3 Kc4",
                "rows": "Td2 Jh3 4s4/Jd0 9s0 Ks1 Kh3 6h4/5s0 4h0 Qd0 Qh1 4c2",
                "win": -2,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 1,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "5c1 5d2 Th3 9h4",
                "rows": "7s2 7h3 Ad3/8d0 9c0 3h1 8c2 As4/Tc0 6d0 Qs0 Qc1 7c4",
                "win": 1.9,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:03:42",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000001-1": [
            {
                "inFantasy": false,
                "result": 5,
                "playerName": "zwölfer",
                "orderIndex": 0,
                "hero": false,
                "dead": "Qd1 Kh2 6d3 2h4",
                "rows": "5s1 7s3 Kd4/Th0 8c0 Jd1 Jh3 6c4/9h0 7c0 7d0 9c2 7h2",
                "win": 9.7,
                "playerId": "zwölfer"
            },
            {
                "inFantasy": false,
                "result": -5,
                "playerName": "kiebitz7",
                "orderIndex": 1,
                "hero": true,
                "dead": "Js1 5d2 3d3 3c4",
                "rows": "Kc3 5c3 Qs4/8d0 Tc0 6s0 6h1 Ts2/4s0 4h0 Ad1 Ac2 8s4",
                "win": -10,
                "playerId": "kiebitz7"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:04:51",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000002-1": [
            {
                "inFantasy": false,
                "result": -12,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "5h1 5s2 Ac3 7d4",
                "rows": "3d0 Js1 Jd3/Kh0 9s0 Ah1 As2 6d3/6c0 7c0 8h2 4s4 Ks4",
                "win": -24,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 12,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "2s1 6h2 Qh3 Jh4",
                "rows": "3h2 2h3 2d4/Ad0 3s0 3c1 8s2 Jc4/4h0 Tc0 Th0 4d1 4c3",
                "win": 23.2,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:06:31",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000003-1": [
            {
                "inFantasy": false,
                "result": 13,
                "playerName": "zwölfer",
                "orderIndex": 0,
                "hero": false,
                "dead": "2h1 9c2 Ah3 5d4",
                "rows": "6s1 As2 6d4/Qh0 3s0 3h1 8d2 Qc4/Jh0 Jc0 Jd0 Kc3 Ks3",
                "win": 25.2,
                "playerId": "zwölfer"
            },
            {
                "inFantasy": false,
                "result": -13,
                "playerName": "kiebitz7",
                "orderIndex": 1,
                "hero": true,
                "dead": "5c1 Tc2 Js3 Ac4",
                "rows": "8s2 6h3 5s4/Ts0 9h0 Kd1 Td1 9d4/2d0 2s0 Qd0 4c2 2c3",
                "win": -26,
                "playerId": "kiebitz7"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:08:44",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000004-1": [
            {
                "inFantasy": false,
                "result": -3,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "6h1 4c2 Js3 2h4",
                "rows": "6c2 Ac3 8s4/9h0 3s0 9s1 2s3 3h4/6d0 Qd0 Ad0 4d1 3d2",
                "win": -6,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 3,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "7h1 3c2 4s3 8d4",
                "rows": "Qc2 Jc4 Kh4/7d0 Ks0 4h2 7s3 Kc3/Th0 Qs0 Ts0 Qh1 Td1",
                "win": 5.8,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:09:40",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000004-1": [
            {
                "inFantasy": false,
                "result": -3,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "6h1 4c2 Js3 2h4",
                "rows": "6c2 Ac3 8s4/9h0 3s0 9s1 2s3 3h4/6d0 Qd0 Ad0 4d1 3d2",
                "win": -6,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 3,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "7h1 3c2 4s3 8d4",
                "rows": "Qc2 Jc4 Kh4/7d0 Ks0 4h2 7s3 Kc3/Th0 Qs0 Ts0 Qh1 Td1",
                "win": 5.8,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:10:49",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000005-1": [
            {
                "inFantasy": false,
                "result": 14,
                "playerName": "zwölfer",
                "orderIndex": 0,
                "hero": false,
                "dead": "8h1 Kc2 Td3 Jc4",
                "rows": "Ts2 Kd3 Js4/7h0 4d1 9c1 4h3 4c4/As0 Ac0 5d0 5h0 Ad2",
                "win": 27.1,
                "playerId": "zwölfer"
            },
            {
                "inFantasy": false,
                "result": -14,
                "playerName": "kiebitz7",
                "orderIndex": 1,
                "hero": true,
                "dead": "2h1 3h2 5s3 Ks4",
                "rows": "Ah1 7s3 8d4/4s0 2d0 9s2 Jh3 Qc4/Qh0 6c0 6s0 6h1 6d2",
                "win": -28,
                "playerId": "kiebitz7"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:10:39",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000006-1": [
            {
                "inFantasy": false,
                "result": -7,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "3c1 5h2 4h3 2c4",
                "rows": "Qs3 7h3 Qc4/4c1 Jh1 As2 Jd2 4d4/Td0 Js0 Kc0 9h0 Qh0",
                "win": -14,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 7,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "7c1 Ks2 Jc3 Kh4",
                "rows": "8d1 Ad4 Ah4/2h0 Ts0 9d2 Tc2 9s3/Td0 6c0 5s0 5c1 5d3",
                "win": 13.5,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:12:37",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000007-1": [
            {
                "inFantasy": true,
                "result": -2,
                "playerName": "zwölfer",
                "orderIndex": 0,
                "hero": false,
                "dead": "3d0",
                "rows": "4c0 Jc0 Kd0/As0 4s0 6s0 2s0 Ks0/7d0 8c0 8s0 8h0 7c0",
                "win": -4,
                "playerId": "zwölfer"
            },
            {
                "inFantasy": true,
                "result": 2,
                "playerName": "kiebitz7",
                "orderIndex": 1,
                "hero": true,
                "dead": "Ts0 Js1 3s2",
                "rows": "Qs0 Ac0 Ad0/4h0 6h0 3c0 5d0 2d0/6d0 9d0 4d0 Jd0 Qd0",
                "win": 3.8,
                "playerId": "kiebitz7"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:13:39",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000008-1": [
            {
                "inFantasy": true,
                "result": 16,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "6d0",
                "rows": "Jc0 9s0 Jh0/4s0 4c0 8d0 5d0 5c0/Kh0 Ah0 Th0 3h0 8h0",
                "win": 31,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": -16,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "5h1 Qd2 5s3 Kd4",
                "rows": "2d0 7h3 Ks4/6c0 4h0 4d1 9c1 7d2/As0 Ts0 Tc2 Jd3 3c4",
                "win": -32,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:15:15",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000009-1": [
            {
                "inFantasy": false,
                "result": -12,
                "playerName": "zwölfer",
                "orderIndex": 0,
                "hero": false,
                "dead": "2h1 Jh2 Js3 2s4",
                "rows": "3h0 7h3 7s3/Kh0 7c0 5s1 Ks2 7d2/9c0 9d0 6c1 Th4 Ah4",
                "win": -15,
                "playerId": "zwölfer"
            },
            {
                "inFantasy": false,
                "result": 12,
                "playerName": "kiebitz7",
                "orderIndex": 1,
                "hero": true,
                "dead": "8s1 8d2 4d3 8h4",
                "rows": "6s3 Td3 8c4/Kd0 Ad0 3s0 3c2 Ac4/Qh0 4c0 Qd1 4s1 Qc2",
                "win": 14.5,
                "playerId": "kiebitz7"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:17:19",
    "roomId": "20417001"
}


{
    "stakes": 2,
    "handData": {
        "260311020211-20417001-0000010-1": [
            {
                "inFantasy": false,
                "result": 0,
                "playerName": "kiebitz7",
                "orderIndex": 0,
                "hero": true,
                "dead": "2s1 Ks2 9s3 Ts4",
                "rows": "Jh2 Tc3 7c4/As0 5h0 9c1 9h2 Jc3/Qc0 3s0 3d0 3c1 4s4",
                "win": 0,
                "playerId": "kiebitz7"
            },
            {
                "inFantasy": false,
                "result": 0,
                "playerName": "zwölfer",
                "orderIndex": 1,
                "hero": false,
                "dead": "8d1 Jd2 7d3 6c4",
                "rows": "7h1 Qs3/Qd0 9d0 Kd1 Kh3/5d0 5s0 5c0 8s2",
                "win": 0,
                "playerId": "zwölfer"
            }
        ]
    },
    "appName": "Ppp",
    "price": "0.9PHP",
    "joined": true,
    "clubId": "900417",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-10 18:18:16",
    "roomId": "20417001"
}


