{
    "stakes": 5,
    "handData": {
        "700300400": [
            {
                "inFantasy": false,
                "result": 28,
                "playerName": "Ulme",
                "orderIndex": 0,
                "hero": false,
                "dead": "",
                "rows": "Ts2 6s3 6h4/Ks0 Jc0 Ad1 Js3 Qh4/6d0 Qc0 5h0 5d1 Qs2",
                "win": 35,
                "playerId": "Ulme"
            },
            {
                "inFantasy": false,
                "result": 28,
                "playerName": "Birke",
                "orderIndex": 1,
                "hero": true,
                "dead": "3d1 8s2 7s3 Tc4",
                "rows": "7c2 5s3 4d3/6c0 4h0 Ah1 4c2 8d4/2s0 9d0 9h0 2d1 Qd4",
                "win": -35,
                "playerId": "Birke"
            }
        ]
    },
    "appName": "Spartan",
    "price": "1INR",
    "joined": true,
    "clubId": "0",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-13 18:04:05",
    "roomId": "41c-2d2a0f31"
}


{
    "stakes": 5,
    "handData": {
        "700300401": [
            {
                "inFantasy": false,
                "result": 16,
                "playerName": "Birke",
                "orderIndex": 0,
                "hero": true,
                "dead": "4c1 9s2 Th3 Td4",
                "rows": "6d1 4d2 As4/Qd0 7s0 9h1 Qh2 5d3/Ah0 Jh0 Ad0 7d3 Jc4",
                "win": -15,
                "playerId": "Birke"
            },
            {
                "inFantasy": false,
                "result": 16,
                "playerName": "Ulme",
                "orderIndex": 1,
                "hero": false,
                "dead": "",
                "rows": "3s0 Ks3 5c4/2h0 6h1 2d2 8d3 Ts4/Ac0 8c0 Qc0 2c1 Tc2",
                "win": 15,
                "playerId": "Ulme"
            }
        ]
    },
    "appName": "Spartan",
    "price": "1INR",
    "joined": true,
    "clubId": "0",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-13 18:05:22",
    "roomId": "41c-2d2a0f31"
}


{
    "stakes": 5,
    "handData": {
        "700300402": [
            {
                "inFantasy": false,
                "result": 25,
                "playerName": "Ulme",
                "orderIndex": 0,
                "hero": false,
                "dead": "",
                "rows": "2h0 7c4 6h4/Qh0 Ks1 8d1 Jd2 Kd3/5c0 4c0 Tc0 5h2 Td3",
                "win": -30,
                "playerId": "Ulme"
            },
            {
                "inFantasy": false,
                "result": 25,
                "playerName": "Birke",
                "orderIndex": 1,
                "hero": true,
                "dead": "2d1 4d2 Kc3 6c4",
                "rows": "3h0 Ts2 3c2/7d0 8s0 7s1 Qs3 Qd4/9c0 9h0 Js1 9s3 Ad4",
                "win": 30,
                "playerId": "Birke"
            }
        ]
    },
    "appName": "Spartan",
    "price": "1INR",
    "joined": true,
    "clubId": "0",
    "rules": "progressive16_refant14_nojokers",
    "endDateTime": "2026-03-13 18:06:16",
    "roomId": "41c-2d2a0f31"
}


